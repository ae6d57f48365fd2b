use strict;
use Test::More tests => 1;
use Jug;
ok(Jug::fill(), "fills");
