return { pump = "Water, at last." }
