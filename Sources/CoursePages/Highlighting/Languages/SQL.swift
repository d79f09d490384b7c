extension Language {
  /// SQL of the standard and of common database systems.
  static let sql = Language(
    "SQL", aliases: ["sql", "sqlite", "sqlite3", "postgresql", "postgres", "psql", "mysql", "tsql", "plsql"],
    Grammar(
      wordLists: [
        WordList(
          .keyword,
          """
          abort absolute action add admin after aggregate alias all allocate alter analyse analyze and any are array as asc
          assertion assignment asymmetric at atomic authorization avg backward before begin between bit_length both breadth by
          cache call called cardinality cascade cascaded case cast catalog ceil ceiling chain char_length character_length
          characteristics check checkpoint class close cluster coalesce collate collation collect column comment commit committed
          completion condition connect connection constraint constraints constructor contains continue conversion convert copy
          corresponding count create createdb createuser cross cube current current_date current_path current_role current_time
          current_timestamp current_user cursor cycle data database day deallocate declare default defaults deferrable
          deferred delete delimiter delimiters depth deref desc describe descriptor deterministic diagnostics dictionary
          disconnect dispatch distinct do domain drop dynamic each element else elseif elsif encoding encrypted end equals escape
          every except exception excluding exclusive exec execute exists exit explain external extract false fetch filter final
          first for force foreign fortran forward found free freeze from full function general generated get global go
          goto grant granted group grouping handler having hierarchy hold host hour identity if ignore ilike immediate
          immutable implicit in including increment index indicator inherit inherits initialize initially inner inout
          input insensitive insert instance instead intersect into invoker is isnull isolation iterate join key lancompiler
          language large last lateral leading left length less level like limit listen load local localtime localtimestamp
          locator lock loop lower map match max maxvalue min minute minvalue mod mode modify module month
          names national natural nchar nclob new next no none not nothing notify notnull null nullable nullif object of off
          offset oids old on only open operation operator option options or order ordinality out outer output over overlaps
          overlay overriding owner pad parameter parameters partial partition password path pending placing position
          postfix precision prefix preorder prepare preserve primary prior privileges procedural procedure public read reads
          recheck recursive ref references referencing reindex relative rename repeatable replace reset restart restrict result
          return returns revoke right role rollback rollup routine row rows rule savepoint schema scroll search second section
          security select self sensitive sequence serializable session session_user set sets share show similar simple
          size some space specific sql stable start state statement static statistics stdin stdout storage strict
          structure style substring sum symmetric sysid system table temp template temporary terminate than then
          timestamp timezone_hour timezone_minute to toast trailing transaction transform translate treat trigger trim true
          truncate trusted type uncommitted under unencrypted union unique unknown unlisten unnamed unnest until update upper usage
          user using vacuum valid validator value values variable verbose version view volatile when where whenever while
          with without work write year zone
          """),
        WordList(
          .type,
          """
          array bigint binary bit blob boolean char character date dec decimal float int integer interval number numeric real
          serial smallint text varchar varying int8 serial8
          """),
      ],
      ignoresCase: true,
      spans: [
        .line(.comment, "--"),
        .block(.comment, "/*", "*/", nests: true),
        .block(.string, "'", "'", doubles: true),
        .block(.string, "\"", "\"", doubles: true),
      ],
      operators: "+*/<>=~!@#%^&|`?-"))
}
