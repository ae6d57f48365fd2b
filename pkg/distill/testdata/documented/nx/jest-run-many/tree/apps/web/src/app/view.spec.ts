import { view } from './view';
//
//
//
//
//
//
//
//
