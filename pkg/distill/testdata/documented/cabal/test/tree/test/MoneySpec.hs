module MoneySpec where
import Money
--
--
--
--
--
--
--
--
--
--
