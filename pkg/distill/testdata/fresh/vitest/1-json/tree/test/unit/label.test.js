import { describe, expect, it } from 'vitest';
import { label } from '../../lib/account/label.js';

describe('label', () => {
  it('names people', () => {
    expect(label({ name: ' Ann ' })).toBe('Ann');
  });

  it('calls nobody anonymous', () => {
    expect(label({ name: null })).toBe('anonymous');
  });
});
