import { label } from '../../src/label.ts';
import { round } from '../../src/money/round.ts';

function same(a: unknown, b: unknown) {
  if (a !== b) throw new Error(`Values are not equal: ${a} !== ${b}`);
}

Deno.test('keeps whole', () => same(round(2), 2));

Deno.test('cart', async (t) => {
  await t.step('rounds half cents up', () => {
    same(round(7.5), 8);
  });
});

Deno.test('labels nobody', () => {
  same(label({ name: null }), 'anonymous');
});

Deno.test.ignore('later', () => {});
