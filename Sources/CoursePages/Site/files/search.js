"use strict";
// Searches the texts in `pages`: title, address, ancestors and text of each page. Results are added as text, never as HTML.
{
  const maximum = 100;
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const query = document.getElementById("query");
  const results = document.getElementById("results");
  const count = document.getElementById("count");
  const index = pages.map(([title, address, trail, text]) => ({ title: plain(title), text: plain(text) }));

  const element = (name, text) => {
    const created = document.createElement(name);
    created.textContent = text;
    return created;
  };

  const excerpt = (text, word) => {
    const at = Math.max(0, plain(text).indexOf(word) - 60);
    return (at > 0 ? "…" : "") + text.slice(at, at + 200) + (at + 200 < text.length ? "…" : "");
  };

  const search = () => {
    const words = plain(query.value).split(/\s+/).filter(Boolean);
    const found = [];
    if (words.length > 0) {
      index.forEach(({ title, text }, number) => {
        if (!words.every((word) => title.includes(word) || text.includes(word))) return;
        found.push([words.filter((word) => title.includes(word)).length, number]);
      });
    }
    found.sort((first, second) => second[0] - first[0] || first[1] - second[1]);
    results.replaceChildren(...found.slice(0, maximum).map(([, number]) => {
      const [title, address, trail, text] = pages[number];
      const link = element("a", title);
      link.href = address;
      const item = document.createElement("li");
      item.append(link, element("p", trail), element("p", excerpt(text, words[0])));
      return item;
    }));
    const more = found.length > maximum ? `, the first ${maximum} are listed` : "";
    count.textContent = words.length === 0 ? "" : found.length === 1 ? "1 page" : `${found.length} pages${more}`;
  };

  query.value = new URLSearchParams(location.search).get("q") ?? "";
  query.addEventListener("input", search);
  search();
}
