: total ( cents n -- t ) drop ;
: change ( paid due -- c ) - ;
