module Main where

import Money
import Test.Tasty
import Test.Tasty.HUnit

main :: IO ()
main = defaultMain $ testGroup "Tests"
  [ testGroup "Money"
    [ testCase "whole" $ cents 2 @?= 2
    , testCase "half cents" $
        cents 7.5 @?= 8
    ]
  ]
