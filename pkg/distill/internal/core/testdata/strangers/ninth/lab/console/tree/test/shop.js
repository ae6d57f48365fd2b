const Code = require('@hapi/code');
const Lab = require('@hapi/lab');
const { Cart } = require('../lib/cart');
const { label } = require('../lib/account/label');

const { expect } = Code;
const { describe, it } = exports.lab = Lab.script();

describe('Cart', () => {
    it('is free when empty', () => {
        expect(new Cart().total()).to.equal(0);
    });

    it('rounds half cents up', () => {
        const sum = new Cart().add('tea', 2.5, 3).total();
        expect(sum).to.equal(8);
    });

    it.skip('handles refunds', () => {});
});

describe('label', () => {
    it('names people', () => {
        expect(label({ name: 'Ann' })).to.equal('Ann');
    });

    it('calls nobody anonymous', () => {
        expect(label({ name: null })).to.equal('anonymous');
    });
});
