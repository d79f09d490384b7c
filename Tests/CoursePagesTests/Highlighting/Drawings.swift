import Testing

/// Program text as people write it, and under each line the class of each byte: the first letter of its name, a point for
/// plain signs, a blank for plain blanks.
struct Drawing: Sendable, CustomTestStringConvertible {
  var language: String
  var rows: String

  var testDescription: String { language }

  /// One of each language, in the order in which they are listed to people.
  static let all: [Drawing] = [
    Drawing(
      language: "rust",
      rows: ##"""
        #[derive(Debug)]
        kkkkkkkkkkkkkkkk
        struct Loaf<'a> { grams: u32, name: &'a str }
        kkkkkk ttttooto . ...... ttt. ..... oot ttt .
        /* nested /* twice */ once */
        ccccccccccccccccccccccccccccc
        fn bake(l: &Loaf) -> Option<String> { // hot
        kk ffff... otttt. .. ttttttotttttto . cccccc
            let c = 'x'; let raw = r#"a "b" c"#;
            kkk . o sss. kkk ... o ssssssssssss.
            println!("{} {}", l.grams * 2_000, b'\n'); None
            ffffffff.sssssss. ....... o nnnnn. sssss.. tttt
        }
        .
        """##),
    Drawing(
      language: "c",
      rows: ##"""
        #include <stdio.h> // door
        kkkkkkkkkssssssssskccccccc
        #define TWICE(x) ((x) * 2)
        kkkkkkkkkkkkkkkkkkkkkkkkkk
        static int area(int w, double h) {
        kkkkkk ttt ffff.ttt .. tttttt .. .
          return TWICE(w) >= 0x1F ? 'a' : puts("no \" end");
          kkkkkk ........ oo nnnn o sss o .....sssssssssss..
        }
        .
        struct loaf *next;
        kkkkkk tttt o.....
        """##),
    Drawing(
      language: "c++",
      rows: ##"""
        template <typename T> class Oven : public Shop {
        kkkkkkkk okkkkkkkk to kkkkk tttt o kkkkkk .... .
          std::string name = R"x(raw ")" text)x";
          ...oo...... .... o sssssssssssssssssss.
          virtual bool open() const override { return this->size() != 1'000; }
          kkkkkkk tttt ffff.. kkkkk kkkkkkkk . kkkkkk kkkkoo...... oo nnnnn. .
        };
        ..
        """##),
    Drawing(
      language: "python",
      rows: ##"""
        @cached
        fffffff
        def bake(self, grams=1.5e3):
        kkk ffff.kkkk. .....onnnnn..
            """Bakes."""
            ssssssssssss
            if grams is not None and isinstance(grams, int):  # warm
            kk ..... kk kkk kkkk kkk ffffffffff....... fff..  cccccc
                return f"{grams!r:>{8}} of {self.name} {{}}" + rb'\d'
                kkkkkk sss.....o.sssnssssssskkkko....sssssss o ssssss
        class Loaf(Exception): pass
        kkkkk tttt.ttttttttt.. kkkk
        """##),
    Drawing(
      language: "javascript",
      rows: ##"""
        const price = (a, b) => a / b / 2; // no pattern
        kkkkk ..... o ... .. .. . o . o n. ccccccccccccc
        let text = `sum: ${total({ a: 1 })} of ${"x"}`;
        kkk .... o ssssssss....... .o n ..ssssssssssss.
        if (/[/"]+\/x/gi.test(text)) throw new TypeError('bad');
        kk .ssssssssssss............ kkkkk kkk ttttttttt.sssss..
        """##),
    Drawing(
      language: "typescript",
      rows: ##"""
        @Component()
        kkkkkkkkkk..
        export abstract class Oven<T> implements Shop {
        kkkkkk kkkkkkkk kkkkk ....o.o kkkkkkkkkk .... .
          private heat: number = 0x1f;
          kkkkkkk ....o tttttt o nnnn.
          bake(loaf?: Loaf): Promise<void> { return `${this.heat}`; }
          .........oo tttt.o tttttttokkkko . kkkkkk ssskkkk.....ss. .
        }
        .
        """##),
    Drawing(
      language: "go",
      rows: ##"""
        package main
        kkkkkkk ....
        /* over
        ccccccc
           lines */
        ccccccccccc
        func Bake(loaves []string) (n int, err error) {
        kkkk ........... ..tttttt. .. ttt. ... ttttt. .
          n := len(loaves) + 0x_1f // count
          . oo fff........ o nnnnn cccccccc
          return n, fmt.Errorf(`raw \n` + "not \"raw\"")
          kkkkkk .. ...........ssssssss o sssssssssssss.
        }
        .
        """##),
    Drawing(
      language: "java",
      rows: ##"""
        import static java.util.List.of;
        kkkkkk kkkkkk ..................
        @Override public Map<String, Integer> count(int... all) {
        fffffffff kkkkkk ...o....... .......o fffff.ttt... .... .
          String text = """
          ...... .... o sss
              "quoted"
        ssssssssssssss
              """;
        sssssssss.
          return all.length > 1_000L ? new Loaf('x') : null; // done
          kkkkkk .......... o nnnnnn o kkk .....sss. . kkkk. ccccccc
        }
        .
        """##),
    Drawing(
      language: "kotlin",
      rows: ##"""
        @Test fun <T> Oven.bake(loaf: Loaf?): String {
        fffff kkk o.o .....ffff...... ....o.. tttttt .
          val data = "is ${loaf?.name ?: "no"} \$"
          kkk .... o ssssss....oo.... oo sssssssss
          when (loaf) { is Rye -> return 1.5f else -> null }
          kkkk ...... . kk ... oo kkkkkk nnnn kkkk oo kkkk .
        }
        .
        data class Loaf(private val grams: Int)
        kkkk kkkkk tttt.kkkkkkk kkk ...... ttt.
        """##),
    Drawing(
      language: "swift",
      rows: ##"""
        @MainActor public struct Oven: Sendable {
        kkkkkkkkkk kkkkkk kkkkkk tttt. ........ .
          func bake(_ loaf: Loaf?) throws -> String { // hot
          kkkk ffff.k ..... ...... kkkkkk .. tttttt . cccccc
            let text = "is \(loaf.map { "\($0.name)" } ?? "no") \n"
            kkk .... o ssssss.....fff . sss.......ss . oo sssssssss
            return #"raw \(no)"# + text /* a /* b */ c */
            kkkkkk sssssssssssss o .... ccccccccccccccccc
          }
          .
        }
        .
        """##),
    Drawing(
      language: "c#",
      rows: ##"""
        #region Ovens
        kkkkkkkkkkkkk
        [Serializable]
        ..............
        public class Oven : Shop {
        kkkkkk kkkkk tttt . .... .
            public string Bake(int grams) {
            kkkkkk tttttt ffff.ttt ...... .
                var text = @"C:\dir ""x""" + $"{grams} g";
                ttt .... o sssssssssssssss o ssssssssssss.
                return grams >= 10.5f ? text : null; // cold
                kkkkkk ..... oo nnnnn o .... . kkkk. ccccccc
            }
            .
        }
        .
        """##),
    Drawing(
      language: "ruby",
      rows: ##"""
        class Oven < Shop
        kkkkk tttt o tttt
          def self.bake(loaf, at: 200)
          kkk ttttoffff...... ss. nnn.
            @heat = %w[low (high)] << "is #{loaf[:name] + "x"}"
            ttttt o ssssssssssssss oo ssssss....ossssso o sssss
            text = <<~END.strip
            .... o ooossso.....
              Not "code": #{x}
        ssssssssssssssssssssss
            END
        sssssss
            puts :done if text =~ /a\/b/i && !loaf.nil? # ok
            ffff sssss kk .... oo sssssss oo o....o.... cccc
          end
          kkk
        end
        kkk
        """##),
    Drawing(
      language: "shell",
      rows: ##"""
        #!/bin/sh
        ccccccccc
        for file in *.txt; do # each
        kkk .... kk ...... kk cccccc
          size=$(wc -l < "${file%.txt} $HOME")
          ttttokk.. .. . ssstttt..tttsstttttsk
          if [ "$size" -gt 10 ]; then echo 'big'; fi
          kk o sttttts ... nn o. kkkk ffff sssss. kk
        done
        kkkk
        cat <<EOF
        ... sssss
        if this is text
        sssssssssssssss
        EOF
        sss
        """##),
    Drawing(
      language: "sql",
      rows: ##"""
        SELECT name, count(*) FROM "loaf" -- all
        kkkkkk ..... kkkkk.o. kkkk ssssss cccccc
        WHERE grams >= 500 AND name <> 'Baker''s' /* why */;
        kkkkk ..... oo nnn kkk .... oo ssssssssss ccccccccc.
        """##),
    Drawing(
      language: "json",
      rows: ##"""
        { "name": "rye \"dark\"", "grams": [-1.5e3, true, null] } // ok
        . kkkkkk. ssssssssssssss. kkkkkkk. .nnnnnn. kkkk. kkkk. . ccccc
        """##),
    Drawing(
      language: "yaml",
      rows: ##"""
        %YAML 1.2
        kkkkknnnn
        ---
        ...
        bread: &first # kinds
        kkkkk. ...... ccccccc
          - name: "rye"
          . kkkk. sssss
            "text": |
            ssssss. .
              # not a comment
        sssssssssssssssssssss
              a: b
        ssssssssss


            size: {w: 1, h: [2, 'x']}
            kkkk. .k. .. k. ... sss..
          - !!str plain it's text
          . ttttt ..... .... ....
        """##),
    Drawing(
      language: "toml",
      rows: ##"""
        [oven."top"] # where
        kkkkkksssss. ccccccc
        heat = 200.5
        .... o nnnnn
        since = 2026-03-01T10:00:00Z
        ..... o nnnnnnnnnnnnnnnnnnnn
        "sides" = ["left", 'right', { on = true }]
        sssssss o .ssssss. sssssss. . .. . kkkk ..
        """##),
    Drawing(
      language: "html",
      rows: ##"""
        <!DOCTYPE html>
        kkkkkkkkkkkkkkk
        <a href="x.html" class=big disabled>a &amp; b</a><!-- no -->
        .k ttttossssssss tttttosss tttttttt.. sssss ...k.ccccccccccc
        <script>let a = "</p>";</script>
        .kkkkkk.kkk . o ssssss...kkkkkk.
        <style>p { color: red }</style>
        .kkkkk.k . kkkkk. kkk ...kkkkk.
        """##),
    Drawing(
      language: "css",
      rows: ##"""
        @media (width: 10px) { a.big:hover, #top > p { --gap: 1.5em; } }
        .kkkkk okkkkko kkkko . k.ttt.fffffo .ttt o k . ttttt. nnnnn. . .
        p { background: url(x.png) no-repeat #fff !important; margin: calc(1px + var(--gap)) } /* end */
        k . kkkkkkkkkk. fff.sssss. kkkkkkkkk nnnn kkkkkkkkkk. kkkkkk. ffff.nnn o fff.ttttt.. . ccccccccc
        """##),
    Drawing(
      language: "haskell",
      rows: ##"""
        module Oven (bake, Loaf) where
        kkkkkk .... .ffff. tttt. kkkkk
        import qualified Data.Map as M
        kkkkkk kkkkkkkkk ........ kk .
        {- nested {- twice -} -}
        cccccccccccccccccccccccc
        bake :: Loaf -> Maybe Int
        ffff oo tttt oo ttttt ttt
        bake x' = \y -> if y >= 'a' then Just 0x1F else "no" : [] -- hot
        ffff .. o f. oo kk . oo sss kkkk tttt nnnn kkkk ssss t tt cccccc
        """##),
    Drawing(
      language: "diff",
      rows: ##"""
        diff --git a/oven b/oven
        ffffffffffffffffffffffff
        --- a/oven
        kkkkkkkkkk
        +++ b/oven
        ssssssssss
        @@ -1,2 +1,2 @@
        ttttttttttttttt
         same
         ....
        -cold
        kkkkk
        +hot
        ssss
        """##),
    Drawing(
      language: "console",
      rows: ##"""
        $ echo "hi" | wc -l # count
        kkffff ssss . .. .. ccccccc
               1
        cccccccc
        ada@home:~/bread$ cat \
        kkkkkkkkkkkkkkkkkk... s
        > rye.txt
        kk.......
        100 % done
        cccccccccc
        """##),
  ]
}
