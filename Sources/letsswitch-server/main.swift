import Backend

ServerProgram.main()
