import { Cart } from './cart';
//
//
//
//
//
//
//
//
//
//
//
//
//
//
//
