import 'package:shop/cart.dart';
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
