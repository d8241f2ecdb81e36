describe("x", function()
  it("y", function() expect(1):to_be(1) end
end)
