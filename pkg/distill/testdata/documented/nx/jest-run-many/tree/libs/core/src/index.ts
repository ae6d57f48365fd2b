export * from './lib/tax';
