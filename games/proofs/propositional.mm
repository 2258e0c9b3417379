$( propositional.mm: propositional logic from three axioms of Lukasiewicz and modus ponens.
   The lemmas' proofs are kept in full, so that any Metamath verifier reads this file; each says above it
   the short proof it was made from (games.proofs.condensed). $)

$c ( ) -> -. wff |- $.
$v p q r s t $.
wp $f wff p $.
wq $f wff q $.
wr $f wff r $.
ws $f wff s $.
wt $f wff t $.

wn $a wff -. p $.
wi $a wff ( p -> q ) $.

ax1 $a |- ( p -> ( q -> p ) ) $.
ax2 $a |- ( ( p -> ( q -> r ) ) -> ( ( p -> q ) -> ( p -> r ) ) ) $.
ax3 $a |- ( ( -. p -> -. q ) -> ( q -> p ) ) $.
${
  mp.1 $e |- p $.
  mp.2 $e |- ( p -> q ) $.
  mp $a |- q $.
$}

$( a1i.1 ax1 mp $)
${
  a1i.1 $e |- p $.
  a1i $p |- ( q -> p ) $=
    wp wq wp wi a1i.1 wp wq ax1 mp $.
$}

$( a2i.1 ax2 mp $)
${
  a2i.1 $e |- ( p -> ( q -> r ) ) $.
  a2i $p |- ( ( p -> q ) -> ( p -> r ) ) $=
    wp wq wr wi wi wp wq wi wp wr wi wi a2i.1 wp wq wr ax2 mp $.
$}

$( mpd.1 mpd.2 a2i mp $)
${
  mpd.1 $e |- ( p -> q ) $.
  mpd.2 $e |- ( p -> ( q -> r ) ) $.
  mpd $p |- ( p -> r ) $=
    wp wq wi wp wr wi mpd.1 wp wq wr mpd.2 a2i mp $.
$}

$( syl.1 syl.2 a1i mpd $)
${
  syl.1 $e |- ( p -> q ) $.
  syl.2 $e |- ( q -> r ) $.
  syl $p |- ( p -> r ) $=
    wp wq wr syl.1 wq wr wi wp syl.2 a1i mpd $.
$}

$( ax1 ax1 mpd $)
id $p |- ( p -> p ) $=
  wp wp wp wi wp wp wp ax1 wp wp wp wi ax1 mpd $.

$( ax1 com12.1 a2i syl $)
${
  com12.1 $e |- ( p -> ( q -> r ) ) $.
  com12 $p |- ( q -> ( p -> r ) ) $=
    wq wp wq wi wp wr wi wq wp ax1 wp wq wr com12.1 a2i syl $.
$}

$( id com12 $)
app $p |- ( p -> ( ( p -> q ) -> q ) ) $=
  wp wq wi wp wq wp wq wi id com12 $.

$( ax1 ax2 syl $)
imim2 $p |- ( ( q -> r ) -> ( ( p -> q ) -> ( p -> r ) ) ) $=
  wq wr wi wp wq wr wi wi wp wq wi wp wr wi wi wq wr wi wp ax1 wp wq wr ax2 syl $.

$( imim2 com12 $)
imim1 $p |- ( ( p -> q ) -> ( ( q -> r ) -> ( p -> r ) ) ) $=
  wq wr wi wp wq wi wp wr wi wp wq wr imim2 com12 $.

$( id a1i ax2 mpd $)
contract $p |- ( ( p -> ( p -> q ) ) -> ( p -> q ) ) $=
  wp wp wq wi wi wp wp wi wp wq wi wp wp wi wp wp wq wi wi wp id a1i wp wp wq ax2 mpd $.

$( ax2 ax1 imim1 mp syl $)
swap $p |- ( ( p -> ( q -> r ) ) -> ( q -> ( p -> r ) ) ) $=
  wp wq wr wi wi wp wq wi wp wr wi wi wq wp wr wi wi wp wq wr ax2 wq wp wq wi wi wp wq wi wp wr wi
  wi wq wp wr wi wi wi wq wp ax1 wq wp wq wi wp wr wi imim1 mp syl $.

$( ax1 ax3 syl $)
explode $p |- ( -. p -> ( p -> q ) ) $=
  wp wn wq wn wp wn wi wp wq wi wp wn wq wn ax1 wq wp ax3 syl $.

$( explode a2i ax3 syl contract mp $)
clavius $p |- ( ( -. p -> p ) -> p ) $=
  wp wn wp wi wp wn wp wi wp wi wi wp wn wp wi wp wi wp wn wp wi wp wn wp wn wp wi wn wi wp wn wp
  wi wp wi wp wn wp wp wn wp wi wn wp wp wn wp wi wn explode a2i wp wp wn wp wi ax3 syl wp wn wp
  wi wp contract mp $.

$( explode clavius syl $)
dneg $p |- ( -. -. p -> p ) $=
  wp wn wn wp wn wp wi wp wp wn wp explode wp clavius syl $.

$( dneg ax3 mp $)
dnegi $p |- ( p -> -. -. p ) $=
  wp wn wn wn wp wn wi wp wp wn wn wi wp wn dneg wp wn wn wp ax3 mp $.

$( dnegi imim2 mp ax3 syl $)
con1 $p |- ( ( -. p -> q ) -> ( -. q -> p ) ) $=
  wp wn wq wi wp wn wq wn wn wi wq wn wp wi wq wq wn wn wi wp wn wq wi wp wn wq wn wn wi wi wq
  dnegi wp wn wq wq wn wn imim2 mp wp wq wn ax3 syl $.

$( dneg imim1 mp ax3 syl $)
con2 $p |- ( ( p -> -. q ) -> ( q -> -. p ) ) $=
  wp wq wn wi wp wn wn wq wn wi wq wp wn wi wp wn wn wp wi wp wq wn wi wp wn wn wq wn wi wi wp
  dneg wp wn wn wp wq wn imim1 mp wp wn wq ax3 syl $.

$( dneg imim1 mp dnegi imim2 mp syl ax3 syl $)
con3 $p |- ( ( p -> q ) -> ( -. q -> -. p ) ) $=
  wp wq wi wp wn wn wq wn wn wi wq wn wp wn wi wp wq wi wp wn wn wq wi wp wn wn wq wn wn wi wp wn
  wn wp wi wp wq wi wp wn wn wq wi wi wp dneg wp wn wn wp wq imim1 mp wq wq wn wn wi wp wn wn wq
  wi wp wn wn wq wn wn wi wi wq dnegi wp wn wn wq wq wn wn imim2 mp syl wp wn wq wn ax3 syl $.
