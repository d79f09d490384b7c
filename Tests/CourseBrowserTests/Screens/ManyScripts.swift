/// A course of every kind of block, question and script, as its authors might write it.
enum ManyScripts {
  static let files: [String: String] = [
    "course.yml": """
    key: scripts
    title: Everything 各种各样的文字 a course can have
    summary: Tables, lists, 🎓 emoji, שלום, and titles that are longer than any row of a terminal that people use
    """,
    "01-kinds/goal.yml": "title: Kinds of text 各种文字 👩‍👩‍👧‍👦\n",
    "01-kinds/01-texts/lesson.yml": "title: Texts\nsummary: Every block there is.\n",
    "01-kinds/01-texts/01-mixed.md": """
    ---
    title: Mixed blocks
    ---
    # A heading with `code` and *emphasis*

    **Strong**, ~~struck~~, a [link within](02-tables.md), <https://example.org/a/rather/long/way/that/goes/on/and/on/until/it/fits/nowhere?x=1>, a footnote[^1].

    [^1]: It says something.

    - One
      - Two
        - Three
          - Four: and this one has words enough that it has to be wrapped on a narrow screen, in deep
    - [ ] open
    - [x] done, with a [link](https://example.org)

    1. first
       > quoted in a list
       > > twice quoted
       > > - a list in it

    ![A bridge over a wide river](bridge.png)

    ---

    Pneumonoultramicroscopicsilicovolcanoconiosis_and_Donaudampfschifffahrtselektrizitätenhauptbetriebswerk.

    日本語の文章です。これは長い行で、端末の幅で折り返されなければなりません。「引用」も、句読点も。

    عربي: هذا نص من اليمين إلى اليسار مع كلمات English. עברית: זה טקסט מימין לשמאל.

    Emoji: 👩‍👩‍👧‍👦 family, 🇩🇪 flag, 👍🏽 skin, ❤️ heart, ｆｕｌｌ width, ① ◐ ✓.

    ```python
    def f(x):
    	return "a very long line of code that does not fit into the width of a terminal" + str(x)
    ```
    """,
    "01-kinds/01-texts/02-tables.md": """
    ---
    title: Tables
    minutes: 7
    ---
    | a | 合意 |
    |---|--:|
    | short | 22 |

    | Name | What it does in very many words | Right | Centre |
    |:--|---|--:|:-:|
    | `push` | Opens a card so that it becomes the page, while its siblings step aside | 280 ms | yes |
    | a_very_long_identifier_that_cannot_be_broken_anywhere | x | 1 | [link](01-mixed.md) |

    | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 |
    |---|---|---|---|---|---|---|---|---|---|---|---|
    | alpha | beta | gamma | delta | epsilon | zeta | eta | theta | iota | kappa | lambda | mu |
    """,
    "01-kinds/01-texts/03-one.md": "---\ntitle: One line\n---\nOne line.\n",
    "01-kinds/01-texts/04-out.md": """
    ---
    title: A way out
    type: link
    url: https://example.org/a/very/long/address/that/does/not/fit/into/a/row/of/eighty/columns/at/all
    ---
    Why.
    """,
    "01-kinds/02-doing/lesson.yml": "title: Doing\n",
    "01-kinds/02-doing/01-questions.md": """
    ---
    title: Every kind of question
    type: quiz
    ---
    Before you begin: read [the texts](../01-texts/01-mixed.md).

    ## One is right, with `code`, in a question so long that it needs more than one line to be asked properly?

    - [ ] wrong with `code`
    - [x] right 正しい
    - [ ] a choice that is so long that it must be wrapped on nearly every terminal, and goes on and on

    > Because **it is**. See [tables](../01-texts/02-tables.md).

    ## Two are right

    - [x] a
    - [x] b
    - [ ] c

    ## With details

    ```swift
    let x = 1
    ```

    What is x?

    - [x] 1
    - [ ] 2
    """,
    "01-kinds/02-doing/02-cards.md": """
    ---
    title: Cards
    type: flashcards
    ---
    ## 日本

    Japan 🇯🇵

    ## A front that is very long and needs several lines because somebody wrote a whole sentence

    | a | b |
    |---|---|
    | 1 | 2 |

    - list
      - nested
    """,
  ]

  static let goal = "everything-各种各样的文字-a-course-can-have/kinds-of-text-各种文字"
}
