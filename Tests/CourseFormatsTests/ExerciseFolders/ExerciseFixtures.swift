/// Small folders of exercises in the layouts of other programs, by the paths of their files.
enum ExerciseFixtures {
  static let rustlings = [
    "rustlings-macros/info.toml": """
    format_version = 1
    welcome_message = \"""
    Knead slowly.\"""
    final_message = "The bread is done."

    [[exercises]]
    name = "water1" # the first
    dir = "01_water"
    test = false
    skip_check_unsolved = true
    hint = "Boil it."

    [[exercises]]
    name = "flour1"
    dir = "02_flour"
    strict_clippy = true
    hint = \"""
    Use `Vec`.
    Sift it.\"""

    [[exercises]]
    name = "quiz1"
    dir = "quizzes"
    hint = ""

    [[exercises]]
    name = "salt1"
    dir = "03_salt"
    hint = "A pinch."

    [[exercises]]
    name = "quiz2"
    dir = "quizzes"
    hint = "All of it."
    """,
    "dev/Cargo.toml": """
    bin = [
      { name = "water1", path = "../exercises/01_water/water1.rs" },
      { name = "water1_sol", path = "../solutions/01_water/water1.rs" },
      { name = "flour1", path = "../exercises/02_flour/flour1.rs" },
    ]

    [package]
    name = "exercises"
    edition = "2024"

    [lints.rust]
    unsafe_code = "forbid"
    """,
    "exercises/01_water/README.md":
      "# Warm water\n\nSee [the flour](../02_flour/README.md) and [the book](https://a.org/b).\n",
    "exercises/01_water/water1.rs": "// water1.rs\n//\n// Warm the water to 30 degrees.\n\nfn main() {}\n",
    "exercises/02_flour/README.md": "# Flour\n\nWhite or brown.\n",
    "exercises/02_flour/flour1.rs": "fn main() {}\n",
    "exercises/quizzes/README.md": "# Quizzes\n\nTry them all.\n",
    "exercises/quizzes/quiz1.rs": "//! I AM NOT DONE\nfn main() {}\n",
    "exercises/quizzes/quiz2.rs": "fn main() {}\n",
    "exercises/03_salt/salt1.rs": "fn main() {}\n",
    "solutions/01_water/water1.rs": "fn main() { warm() }\n",
    ".rustlings-state.txt": "DON'T EDIT THIS FILE!\n\nflour1\n\nwater1\nquiz1\nunknown\n\nsalt1\n",
  ]

  static let golings = [
    "info.toml": """
    [[exercises]]
    name = "water1"
    path = "exercises/water/water1/main.go"
    mode = "compile"
    hint = "Boil it."

    [[exercises]]
    name = "water2"
    path = "exercises/water/water2/main_test.go"
    mode = "test"
    hint = "Cool it."
    """,
    "go.mod": "module example.org/water\n\ngo 1.19\n\nrequire example.org/other v1.0.0\n",
    "exercises/water/water1/main.go": "// water1\n// Make me compile!\n\n// I AM NOT DONE\npackage main\n",
    "exercises/water/water2/main_test.go": "package main_test\n",
  ]

  static let pythonlings = [
    "info.toml": """
    format_version = 1

    [[exercises]]
    name = "water1"
    path = "exercises/water/water1.py"
    hint = "Boil it."
    docs = "https://a.org"
    """,
    "exercises/water/water1.py": "# Exercise: Water 1\n# ----------\n# I AM NOT DONE\n#\n# Set a to 30.\n\na = ???\n",
    "checks/water/water1.py": "assert a == 30\n",
    ".pythonlings/state.json": "{\"format_version\": 2, \"completed\": [\"water1\"]}",
  ]

  /// A workspace that `rustlings init` has made.
  static let workspace = [
    "Cargo.toml": """
    bin = [
      { name = "water1", path = "exercises/01_water/water1.rs" },
      { name = "water1_sol", path = "solutions/01_water/water1.rs" },
      { name = "flour1", path = "exercises/02_flour/flour1.rs" },
    ]

    [package]
    name = "exercises"

    [dependencies]
    sieve = "1"
    """,
    "exercises/01_water/water1.rs": "fn main() { warm() }\n",
    "exercises/02_flour/flour1.rs": "fn main() {}\n\n#[test]\nfn sifts() {}\n",
    "solutions/01_water/water1.rs": "fn main() {}\n",
    ".rustlings-state.txt": "DON'T EDIT THIS FILE!\n\nflour1\n\nwater1\n",
  ]

  static let track = [
    "config.json": """
    {"slug": "python", "language": "Python",
     "concepts": [
       {"uuid": "c-water", "slug": "water", "name": "Water"},
       {"uuid": "c-salt", "slug": "salt", "name": "Salt"},
       {"uuid": "c-none", "slug": "none", "name": "None"}],
     "exercises": {
       "concept": [{"uuid": "e-kettle", "slug": "kettle", "name": "The Kettle", "concepts": ["water"],
                    "prerequisites": []}],
       "practice": [
         {"uuid": "e-loaf", "slug": "loaf", "name": "Loaf", "practices": ["water"],
          "prerequisites": ["water", "salt"], "difficulty": 4},
         {"uuid": "e-roll", "slug": "roll", "name": "Roll", "prerequisites": [], "difficulty": 1},
         {"uuid": "e-old", "slug": "old", "name": "Old", "difficulty": 1, "status": "deprecated"},
         {"uuid": "e-new", "slug": "new", "name": "New", "difficulty": 1, "status": "wip"}]}}
    """,
    "concepts/water/about.md":
      "# About\n\nWater is [wet][salt]. See [concept:python/salt]().\n\n[salt]: /tracks/python/concepts/salt\n",
    "concepts/water/links.json": "[{\"url\": \"https://a.org/water\", \"description\": \"Water\"}]",
    "concepts/salt/introduction.md":
      "# Introduction\n\nSalt. [The loaf](https://exercism.org/tracks/python/exercises/loaf), [elsewhere](/tracks/go/concepts/salt).\n",
    "exercises/concept/kettle/.docs/introduction.md": "# Introduction\n\n~~~~exercism/note\nHot!\n~~~~\n",
    "exercises/concept/kettle/.docs/instructions.md": "# Instructions\n\n## 1. Fill it\n\nWith water.\n",
    "exercises/concept/kettle/.docs/instructions.append.md": "# Append\n\nCold water.\n",
    "exercises/concept/kettle/.docs/hints.md": "# Hints\n\n## General\n\n- Look.\n\n## 1. Fill it\n\n- Pour.\n",
    "exercises/concept/kettle/.meta/config.json": """
    {"blurb": "Boil.", "files": {"solution": ["kettle.py"], "test": ["kettle_test.py"], "editor": ["data/tea.txt"],
     "exemplar": [".meta/exemplar.py"], "invalidator": ["x"]}}
    """,
    "exercises/concept/kettle/.meta/exemplar.py": "full = True\n",
    "exercises/concept/kettle/kettle.py": "pass\n",
    "exercises/concept/kettle/kettle_test.py": "import kettle\n",
    "exercises/concept/kettle/data/tea.txt": "tea\n",
    "exercises/concept/kettle/tool.cfg": "x\n",
    "exercises/practice/loaf/.docs/instructions.md": "# Instructions\n\nBake.\n",
    "exercises/practice/loaf/.meta/config.json":
      "{\"files\": {\"solution\": [\"loaf.py\"], \"test\": [\"loaf_test.py\"]}}",
    "exercises/practice/loaf/loaf.py": "pass\n",
    "exercises/practice/loaf/loaf_test.py": "import loaf\n",
    "exercises/practice/roll/.docs/instructions.md": "# Instructions\n\nRoll.\n",
    "exercises/practice/roll/.meta/config.json":
      "{\"files\": {\"solution\": [\"roll.py\"], \"test\": [\"roll_test.py\"]}}",
    "exercises/practice/roll/roll.py": "pass\n",
    "exercises/practice/roll/roll_test.py": "import roll\n",
  ]

  static let learner = [
    "rust/loaf/.exercism/metadata.json": "{\"track\": \"rust\", \"exercise\": \"loaf\", \"handle\": \"rye\"}",
    "rust/loaf/.exercism/config.json":
      "{\"files\": {\"solution\": [\"src/lib.rs\", \"Cargo.toml\"], \"test\": [\"tests/loaf.rs\"]}}",
    "rust/loaf/README.md": "# Loaf\n\nBake.\n",
    "rust/loaf/HELP.md": "# Help\n",
    "rust/loaf/HINTS.md": "# Hints\n\n## General\n\n- Wait.\n",
    "rust/loaf/src/lib.rs": "pub fn bake() {}\n",
    "rust/loaf/tests/loaf.rs": "#[test]\n#[ignore]\nfn bakes() {}\n",
    "rust/loaf/Cargo.toml": "[package]\nname = \"loaf\"\n\n[dependencies]\n# none\nrand = \"1\"\n",
    "cobol/roll/.exercism/metadata.json": "{\"track\": \"cobol\", \"exercise\": \"roll\"}",
    "cobol/roll/README.md": "# Roll\n\nRoll.\n",
    "cobol/roll/roll.py": "x\n",
    "cobol/roll/test_roll.py": "x\n",
  ]

  static let classroom = [
    ".github/classroom/autograding.json": """
    {"tests": [
      {"name": "Sum", "setup": "sudo -H pip3 install pytest", "run": "pytest", "input": "", "output": "",
       "comparison": "included", "timeout": 10, "points": 5},
      {"name": "Echo", "setup": "make", "run": "./echo", "input": "1\\r\\n2\\r\\n", "output": "3\\r\\n",
       "timeout": 0.5, "points": null},
      {"name": "Exact", "setup": "sudo -H pip3 install pytest", "run": "python3 sum.py", "output": "3", "comparison": "exact"},
      {"name": "Pattern", "setup": null, "run": "python3 sum.py", "output": "^3$", "comparison": "regex", "timeout": 1},
      {"name": "No command"}]}
    """,
    ".github/workflows/classroom.yml": "jobs: {}\n",
    "README.md": "# Add numbers\n\nWrite [sum.py](sum.py).\n",
    "sum.py": "print(0)\n",
    "tests/test_sum.py": "import sum\n",
    "requirements.txt": "pytest\n",
    "page.html": "<p>\n",
  ]

  static let workflow = [
    ".github/workflows/classroom.yml": """
    name: Autograding Tests
    on: [push]
    jobs:
      run-autograding-tests:
        runs-on: ubuntu-latest
        steps:
        - name: Checkout code
          uses: actions/checkout@v4
        - name: Sum
          uses: classroom-resources/autograding-command-grader@v1
          with:
            test-name: Sum
            setup-command: ''
            command: python3 test_sum.py
            timeout: 10
            max-score: 5
        - uses: education/autograding-io-grader@v1
          with:
            test-name: Echo
            command: ./echo
            input: 12
            expected-output: 3
            comparison-method: exact
            timeout: '1'
        - uses: education/autograding-python-grader@v1
          with:
            timeout: 5
            max-score: 10
        - uses: education/autograding-grading-reporter@v1
          with:
            runners: a
    """,
    "README.md": "Write a poem.\n",
    "poem.txt": "\n",
  ]

  static let all = [
    "rustlings": rustlings, "golings": golings, "pythonlings": pythonlings, "workspace": workspace, "track": track,
    "learner": learner, "classroom": classroom, "workflow": workflow,
  ]
}
