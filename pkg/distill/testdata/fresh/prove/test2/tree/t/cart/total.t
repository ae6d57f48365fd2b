use Test2::V0;
use Shop::Cart;

subtest 'half cents' => sub {
    is(Shop::Cart->new->add(2.5, 3)->total, 8, 'rounds up');
};

is({ total => Shop::Cart->new->add(2.5, 1)->total }, { total => 3 }, 'hash');

done_testing;
