module Main where

import Control.Exception (evaluate)
import Money
import Test.Hspec

main :: IO ()
main = hspec $ do
  describe "Money" $ do
    it "keeps whole numbers" $ cents 2 `shouldBe` 2
    describe "half cents" $ do
      it "go up" $ do
        cents 7.5 `shouldBe` 8
    it "has a first" $ do
      x <- evaluate (first ([] :: [Int]))
      x `shouldBe` 1
    xit "later" $ pending
