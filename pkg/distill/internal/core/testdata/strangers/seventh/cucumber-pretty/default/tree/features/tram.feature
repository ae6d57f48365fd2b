Feature: Tram fares

  Scenario: One zone
    Given a tram in zone 1
    When I ride to zone 1
    Then I pay 120

  Scenario: Two zones
    Given a tram in zone 1
    When I ride to zone 2
    Then I pay 240

  Scenario: Nowhere
    Given a tram in zone 1
    When I ride to zone 0
    Then I am told "no zone"
