use strict;
use Test::More tests => 3;
use lib "lib";
use Price;
is(Price::total({ price => 2, qty => 3 }), 6, "adds quantities");
is(Price::total(), 0, "empty");
is(Price::label("ann"), "Ann", "labels");
