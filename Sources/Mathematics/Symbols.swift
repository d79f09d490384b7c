/// The kind of a symbol, which determines the spacing around it.
///
/// Source: Knuth, "The TeXbook", chapter 17 (kinds of atoms).
enum SymbolKind: String {
  case letter, ordinary, binary, relation, punctuation, opening, closing, postfix
  /// A sum or a similar operator, whose limits are below and above it.
  case largeOperator = "big"
  case integral
}

/// A symbol with its spellings.
struct Symbol {
  var sign: String
  var kind: SymbolKind
  /// The spelling in ASCII. Source: asciimath.org, if the symbol is defined there.
  var ascii: String
  var spokenName: String
  /// The LaTeX commands without the backslash, the preferred one first.
  var names: [String]
}

/// The table of known symbols.
enum Symbols {
  /// The symbols by their character.
  static let bySign: [String: Symbol] = Dictionary(all.map { ($0.sign, $0) }) { first, _ in first }

  /// The symbols by their LaTeX commands.
  static let byName: [String: Symbol] = Dictionary(
    all.flatMap { symbol in symbol.names.map { ($0, symbol) } }, uniquingKeysWith: { first, _ in first })

  /// Returns the kind of a symbol. Unknown symbols are ordinary.
  static func kind(_ sign: String) -> SymbolKind {
    if let symbol = bySign[sign] { return symbol.kind }
    // A symbol that is struck out by a combining character has the same kind as the symbol itself.
    if let struck = sign.unicodeScalars.last, struck.value == 0x338, sign.unicodeScalars.count > 1 {
      var scalars = sign.unicodeScalars
      scalars.removeLast()
      return bySign[String(scalars)]?.kind ?? .ordinary
    }
    return .ordinary
  }

  static let all: [Symbol] = table.split(separator: "\n").map { line in
    let columns = line.split(separator: "¦", omittingEmptySubsequences: false)
    let fields = columns[0].split(separator: " ")
    return Symbol(
      sign: String(fields[0]), kind: SymbolKind(rawValue: String(fields[1])) ?? .ordinary, ascii: String(fields[2]),
      spokenName: columns[1].split(separator: " ").joined(separator: " "),
      names: columns.count > 2 ? columns[2].split(separator: " ").map(String.init) : [])
  }
}

extension Symbols {
  /// The table with one symbol per line: the character, its kind, its ASCII spelling ¦ its spoken form ¦ its LaTeX
  /// commands, the preferred one first.
  ///
  /// Source: "The Comprehensive LaTeX Symbol List"; W3C, "MathML Core", operator dictionary.
  static let table = """
    α letter alpha ¦ alpha ¦ alpha
    β letter beta ¦ beta ¦ beta
    γ letter gamma ¦ gamma ¦ gamma
    δ letter delta ¦ delta ¦ delta
    ϵ letter epsilon ¦ epsilon ¦ epsilon
    ε letter varepsilon ¦ epsilon ¦ varepsilon
    ζ letter zeta ¦ zeta ¦ zeta
    η letter eta ¦ eta ¦ eta
    θ letter theta ¦ theta ¦ theta
    ϑ letter vartheta ¦ theta ¦ vartheta
    ι letter iota ¦ iota ¦ iota
    κ letter kappa ¦ kappa ¦ kappa
    ϰ letter varkappa ¦ kappa ¦ varkappa
    λ letter lambda ¦ lambda ¦ lambda
    μ letter mu ¦ mu ¦ mu
    ν letter nu ¦ nu ¦ nu
    ξ letter xi ¦ xi ¦ xi
    π letter pi ¦ pi ¦ pi
    ϖ letter varpi ¦ pi ¦ varpi
    ρ letter rho ¦ rho ¦ rho
    ϱ letter varrho ¦ rho ¦ varrho
    σ letter sigma ¦ sigma ¦ sigma
    ς letter varsigma ¦ sigma ¦ varsigma
    τ letter tau ¦ tau ¦ tau
    υ letter upsilon ¦ upsilon ¦ upsilon
    ϕ letter phi ¦ phi ¦ phi
    φ letter varphi ¦ phi ¦ varphi
    χ letter chi ¦ chi ¦ chi
    ψ letter psi ¦ psi ¦ psi
    ω letter omega ¦ omega ¦ omega
    ϝ letter digamma ¦ digamma ¦ digamma
    Γ letter Gamma ¦ capital gamma ¦ Gamma
    Δ letter Delta ¦ capital delta ¦ Delta
    Θ letter Theta ¦ capital theta ¦ Theta
    Λ letter Lambda ¦ capital lambda ¦ Lambda
    Ξ letter Xi ¦ capital xi ¦ Xi
    Π letter Pi ¦ capital pi ¦ Pi
    Σ letter Sigma ¦ capital sigma ¦ Sigma
    Υ letter Upsilon ¦ capital upsilon ¦ Upsilon
    Φ letter Phi ¦ capital phi ¦ Phi
    Ψ letter Psi ¦ capital psi ¦ Psi
    Ω letter Omega ¦ capital omega ¦ Omega
    ℓ letter ell ¦ ell ¦ ell
    ℏ letter hbar ¦ h bar ¦ hbar hslash
    ı letter imath ¦ i without a dot ¦ imath
    ȷ letter jmath ¦ j without a dot ¦ jmath
    ℘ letter wp ¦ Weierstrass p ¦ wp
    ℜ letter Re ¦ real part ¦ Re
    ℑ letter Im ¦ imaginary part ¦ Im
    ℵ letter aleph ¦ aleph ¦ aleph
    ℶ letter beth ¦ beth ¦ beth
    ∂ letter del ¦ partial ¦ partial
    ∇ ordinary grad ¦ nabla ¦ nabla
    ∞ ordinary oo ¦ infinity ¦ infty
    ∅ ordinary O/ ¦ the empty set ¦ emptyset varnothing
    ∀ ordinary AA ¦ for all ¦ forall
    ∃ ordinary EE ¦ there is ¦ exists
    ∄ ordinary !EE ¦ there is no ¦ nexists
    ¬ ordinary not ¦ not ¦ neg lnot
    ′ ordinary ' ¦ prime ¦ prime
    … ordinary ... ¦ and so on ¦ ldots dots dotsc dotso mathellipsis
    ⋯ ordinary ... ¦ and so on ¦ cdots dotsb dotsm dotsi
    ⋮ ordinary :... ¦ and so on downwards ¦ vdots
    ⋱ ordinary '... ¦ and so on downwards ¦ ddots
    ∠ ordinary /_ ¦ angle ¦ angle
    △ ordinary /_\\ ¦ triangle ¦ triangle
    □ ordinary square ¦ square ¦ square Box
    ■ ordinary qed ¦ end of proof ¦ blacksquare
    ⊤ ordinary TT ¦ top ¦ top
    ⊥ ordinary _|_ ¦ bottom ¦ bot
    ♯ ordinary sharp ¦ sharp ¦ sharp
    ♭ ordinary flat ¦ flat ¦ flat
    ♮ ordinary natural ¦ natural ¦ natural
    ♠ ordinary spades ¦ spades ¦ spadesuit
    ♥ ordinary hearts ¦ hearts ¦ heartsuit
    ♦ ordinary diamonds ¦ diamonds ¦ diamondsuit
    ♣ ordinary clubs ¦ clubs ¦ clubsuit
    ✓ ordinary check ¦ check mark ¦ checkmark
    ° postfix deg ¦ degrees ¦ degree textdegree
    ! postfix ! ¦ factorial
    % postfix % ¦ percent ¦ %
    £ opening pounds ¦ pounds ¦ pounds
    € opening euro ¦ euro ¦ euro
    ¥ opening yen ¦ yen ¦ yen
    § ordinary section ¦ section ¦ S
    ¶ ordinary paragraph ¦ paragraph ¦ P
    © ordinary (c) ¦ copyright ¦ copyright
    ® ordinary (R) ¦ registered ¦ circledR
    \\ ordinary \\ ¦ backslash ¦ backslash
    + binary + ¦ plus
    − binary - ¦ minus
    ± binary +- ¦ plus or minus ¦ pm
    ∓ binary -+ ¦ minus or plus ¦ mp
    × binary xx ¦ times ¦ times
    ÷ binary -: ¦ divided by ¦ div
    · binary * ¦ dot ¦ cdot cdotp centerdot
    * binary ** ¦ star
    ∗ binary ** ¦ star ¦ ast
    ⋆ binary *** ¦ star ¦ star
    ∘ binary @ ¦ composed with ¦ circ
    ∙ binary * ¦ bullet ¦ bullet
    ∖ binary \\ ¦ without ¦ setminus smallsetminus
    ∩ binary nn ¦ intersected with ¦ cap
    ∪ binary uu ¦ united with ¦ cup
    ⊎ binary u+ ¦ united with ¦ uplus
    ⊓ binary |^| ¦ meet ¦ sqcap
    ⊔ binary |_| ¦ join ¦ sqcup
    ∧ binary ^^ ¦ and ¦ wedge land
    ∨ binary vv ¦ or ¦ vee lor
    ⊕ binary o+ ¦ direct sum ¦ oplus
    ⊖ binary o- ¦ circled minus ¦ ominus
    ⊗ binary ox ¦ tensor ¦ otimes
    ⊘ binary o/ ¦ circled slash ¦ oslash
    ⊙ binary o. ¦ circled dot ¦ odot
    ⊞ binary [+] ¦ boxed plus ¦ boxplus
    ⊠ binary [x] ¦ boxed times ¦ boxtimes
    † ordinary dagger ¦ dagger ¦ dagger
    ‡ ordinary ddagger ¦ double dagger ¦ ddagger
    ⋄ binary diamond ¦ diamond ¦ diamond
    ◁ binary <| ¦ triangle ¦ triangleleft
    ▷ binary |> ¦ triangle ¦ triangleright
    ⨿ binary amalg ¦ amalgamated with ¦ amalg
    ≀ binary wr ¦ wreath ¦ wr
    ⊼ binary nand ¦ nand ¦ barwedge
    ⊻ binary xor ¦ xor ¦ veebar
    ⋉ binary |>< ¦ semidirect product ¦ ltimes
    ⋊ binary ><| ¦ semidirect product ¦ rtimes
    ⋈ relation |><| ¦ joined with ¦ bowtie Join
    mod binary mod ¦ modulo ¦ bmod
    = relation = ¦ equals
    < relation < ¦ is less than ¦ lt
    > relation > ¦ is greater than ¦ gt
    ≤ relation <= ¦ is at most ¦ le leq
    ≥ relation >= ¦ is at least ¦ ge geq
    ⩽ relation <= ¦ is at most ¦ leqslant
    ⩾ relation >= ¦ is at least ¦ geqslant
    ≠ relation != ¦ is not equal to ¦ ne neq
    ≪ relation << ¦ is much less than ¦ ll
    ≫ relation >> ¦ is much greater than ¦ gg
    ≮ relation !< ¦ is not less than ¦ nless
    ≯ relation !> ¦ is not greater than ¦ ngtr
    ≰ relation !<= ¦ is not at most ¦ nleq
    ≱ relation !>= ¦ is not at least ¦ ngeq
    ≡ relation -= ¦ is equivalent to ¦ equiv
    ≢ relation !-= ¦ is not equivalent to ¦ nequiv
    ∼ relation ~ ¦ is similar to ¦ sim
    ≁ relation !~ ¦ is not similar to ¦ nsim
    ≃ relation ~- ¦ is asymptotically equal to ¦ simeq
    ≅ relation ~= ¦ is congruent to ¦ cong
    ≇ relation !~= ¦ is not congruent to ¦ ncong
    ≈ relation ~~ ¦ is approximately ¦ approx thickapprox
    ≉ relation !~~ ¦ is not approximately ¦ napprox
    ≊ relation ~~= ¦ is approximately ¦ approxeq
    ≍ relation asymp ¦ is of the order of ¦ asymp
    ≐ relation =. ¦ approaches ¦ doteq
    ≜ relation := ¦ is defined as ¦ triangleq
    ≔ relation := ¦ is defined as ¦ coloneqq coloneq
    ≕ relation =: ¦ defines ¦ eqqcolon
    ∝ relation prop ¦ is proportional to ¦ propto varpropto
    ∈ relation in ¦ in ¦ in
    ∉ relation !in ¦ not in ¦ notin
    ∋ relation contains ¦ contains ¦ ni owns
    ∌ relation !contains ¦ does not contain ¦ notni
    ⊂ relation sub ¦ is a subset of ¦ subset
    ⊃ relation sup ¦ is a superset of ¦ supset
    ⊄ relation !sub ¦ is not a subset of ¦ nsubset
    ⊅ relation !sup ¦ is not a superset of ¦ nsupset
    ⊆ relation sube ¦ is a subset of or equal to ¦ subseteq
    ⊇ relation supe ¦ is a superset of or equal to ¦ supseteq
    ⊈ relation !sube ¦ is neither a subset of nor equal to ¦ nsubseteq
    ⊉ relation !supe ¦ is neither a superset of nor equal to ¦ nsupseteq
    ⊊ relation subne ¦ is a proper subset of ¦ subsetneq
    ⊋ relation supne ¦ is a proper superset of ¦ supsetneq
    ⊏ relation |sub ¦ is below ¦ sqsubset
    ⊐ relation |sup ¦ is above ¦ sqsupset
    ⊑ relation |sube ¦ is below or equal to ¦ sqsubseteq
    ⊒ relation |supe ¦ is above or equal to ¦ sqsupseteq
    ≺ relation -< ¦ precedes ¦ prec
    ≻ relation >- ¦ succeeds ¦ succ
    ⪯ relation -<= ¦ precedes or equals ¦ preceq
    ⪰ relation >-= ¦ succeeds or equals ¦ succeq
    ≼ relation -<= ¦ precedes or equals ¦ preccurlyeq
    ≽ relation >-= ¦ succeeds or equals ¦ succcurlyeq
    ≲ relation <~ ¦ is at most about ¦ lesssim
    ≳ relation >~ ¦ is at least about ¦ gtrsim
    ⊢ relation |-- ¦ proves ¦ vdash
    ⊣ relation --| ¦ is proved by ¦ dashv
    ⊨ relation |== ¦ models ¦ models vDash
    ⊬ relation !|-- ¦ does not prove ¦ nvdash
    ⊭ relation !|== ¦ does not model ¦ nvDash
    ∣ relation | ¦ divides ¦ mid
    ∤ relation !| ¦ does not divide ¦ nmid
    ∥ relation || ¦ is parallel to ¦ parallel
    ∦ relation !|| ¦ is not parallel to ¦ nparallel
    ⟂ relation _|_ ¦ is perpendicular to ¦ perp
    ⊲ relation <| ¦ is normal in ¦ vartriangleleft lhd
    ⊳ relation |> ¦ contains as normal ¦ vartriangleright rhd
    ⊴ relation <|= ¦ is normal in or equal to ¦ trianglelefteq unlhd
    ⊵ relation |>= ¦ contains as normal or equals ¦ trianglerighteq unrhd
    ∴ relation :. ¦ therefore ¦ therefore
    ∵ relation :' ¦ because ¦ because
    : relation : ¦ colon ¦ colon
    ← relation <- ¦ left arrow ¦ leftarrow gets
    → relation -> ¦ to ¦ to rightarrow
    ↔ relation <-> ¦ left and right arrow ¦ leftrightarrow
    ↑ relation uarr ¦ up arrow ¦ uparrow
    ↓ relation darr ¦ down arrow ¦ downarrow
    ↕ relation udarr ¦ up and down arrow ¦ updownarrow
    ⇐ relation lArr ¦ is implied by ¦ Leftarrow
    ⇒ relation => ¦ implies ¦ Rightarrow
    ⇔ relation <=> ¦ is equivalent to ¦ Leftrightarrow
    ⇑ relation uArr ¦ double up arrow ¦ Uparrow
    ⇓ relation dArr ¦ double down arrow ¦ Downarrow
    ⟵ relation <-- ¦ left arrow ¦ longleftarrow
    ⟶ relation --> ¦ to ¦ longrightarrow
    ⟷ relation <--> ¦ left and right arrow ¦ longleftrightarrow
    ⟸ relation <== ¦ is implied by ¦ impliedby Longleftarrow
    ⟹ relation ==> ¦ implies ¦ implies Longrightarrow
    ⟺ relation <==> ¦ if and only if ¦ iff Longleftrightarrow
    ↦ relation |-> ¦ maps to ¦ mapsto
    ⟼ relation |--> ¦ maps to ¦ longmapsto
    ↪ relation >-> ¦ is embedded in ¦ hookrightarrow
    ↩ relation <-< ¦ embeds ¦ hookleftarrow
    ↠ relation ->> ¦ onto ¦ twoheadrightarrow
    ↣ relation >--> ¦ injects into ¦ rightarrowtail
    ↗ relation nearr ¦ up to the right ¦ nearrow
    ↘ relation searr ¦ down to the right ¦ searrow
    ↙ relation swarr ¦ down to the left ¦ swarrow
    ↖ relation nwarr ¦ up to the left ¦ nwarrow
    ⇀ relation -^ ¦ harpoon ¦ rightharpoonup
    ⇁ relation -v ¦ harpoon ¦ rightharpoondown
    ↼ relation ^- ¦ harpoon ¦ leftharpoonup
    ↽ relation v- ¦ harpoon ¦ leftharpoondown
    ⇌ relation <=>> ¦ is in equilibrium with ¦ rightleftharpoons
    ⇄ relation <->> ¦ right and left ¦ rightleftarrows
    ⇝ relation ~> ¦ leads to ¦ rightsquigarrow leadsto
    ↛ relation !-> ¦ does not lead to ¦ nrightarrow
    ⇏ relation !=> ¦ does not imply ¦ nRightarrow
    ∑ big sum ¦ the sum ¦ sum
    ∏ big prod ¦ the product ¦ prod
    ∐ big coprod ¦ the coproduct ¦ coprod
    ⋂ big nnn ¦ the intersection ¦ bigcap
    ⋃ big uuu ¦ the union ¦ bigcup
    ⋀ big ^^^ ¦ the conjunction ¦ bigwedge
    ⋁ big vvv ¦ the disjunction ¦ bigvee
    ⨁ big o++ ¦ the direct sum ¦ bigoplus
    ⨂ big oxx ¦ the tensor product ¦ bigotimes
    ⨀ big o.. ¦ the circled product ¦ bigodot
    ⨄ big u++ ¦ the union ¦ biguplus
    ⨆ big |__| ¦ the join ¦ bigsqcup
    ∫ integral int ¦ the integral ¦ int intop smallint
    ∬ integral iint ¦ the double integral ¦ iint
    ∭ integral iiint ¦ the triple integral ¦ iiint
    ∮ integral oint ¦ the closed integral ¦ oint
    ∯ integral oiint ¦ the closed surface integral ¦ oiint
    , punctuation , ¦ comma
    ; punctuation ; ¦ semicolon
    ( opening ( ¦ open bracket
    [ opening [ ¦ open square bracket ¦ lbrack
    { opening { ¦ open brace ¦ { lbrace
    ⟨ opening << ¦ open angle bracket ¦ langle
    ⌊ opening |_ ¦ floor of ¦ lfloor
    ⌈ opening |~ ¦ ceiling of ¦ lceil
    ) closing ) ¦ close bracket
    ] closing ] ¦ close square bracket ¦ rbrack
    } closing } ¦ close brace ¦ } rbrace
    ⟩ closing >> ¦ close angle bracket ¦ rangle
    ⌋ closing _| ¦ end of floor ¦ rfloor
    ⌉ closing ~| ¦ end of ceiling ¦ rceil
    | ordinary | ¦ bar ¦ vert lvert rvert
    ‖ ordinary || ¦ double bar ¦ | Vert lVert rVert
    / ordinary / ¦ over
    . ordinary . ¦ point
    ? ordinary ? ¦ question mark
    & ordinary & ¦ and ¦ &
    # opening # ¦ number sign ¦ #
    $ opening $ ¦ dollars ¦ $
    _ ordinary _ ¦ underscore ¦ _
    """
}
