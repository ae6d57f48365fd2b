module Main where

import Money
import System.Exit
import Test.HUnit

main :: IO ()
main = do
  c <- runTestTT $ TestList [TestLabel "whole" (TestCase (cents 2 @?= 2)), TestLabel "half" (TestCase (assertEqual "half cents" 8 (cents 7.5)))]
  if errors c + failures c > 0 then exitFailure else exitSuccess
