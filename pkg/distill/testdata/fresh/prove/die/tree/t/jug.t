use strict;
use Test::More tests => 2;
use Jug;
ok(1, "starts");
ok(Jug::fill(), "fills");
