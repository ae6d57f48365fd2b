describe("price", () => {
  it("adds", () => {
    cy.visit("/");
    cy.get(".total").should("have.text", "6");
  });
});
