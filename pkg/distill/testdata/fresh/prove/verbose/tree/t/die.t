use strict;
use warnings;
use Test::More tests => 2;
use Shop::Cart;

ok(1, 'fine');
is(Shop::Cart->new->add(1, 1)->first, 'tea', 'first');
