Feature: A
  Scenario: shaky
    Given a shaky step
