module.exports = {title: "Bread"};
