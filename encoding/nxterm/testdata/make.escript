#!/usr/bin/env escript
%% Makes the files of this folder, as Nx.serialize makes them, with Erlang's own encoder.
%% Run it in the folder (Erlang 25): escript make.escript
main(_) ->
    A = {t, {3}, {s, 32}, [nil], [], 0, 12},
    file:write_file("tensor.nx", nx(term_to_binary(A), 0, <<1:32/little, -2:32/little, 3:32/little>>)),
    {Nested, Buffers} = nested(little),
    file:write_file("nested.nx", nx(term_to_binary(Nested), 0, Buffers)),
    file:write_file("utf8.nx", nx(term_to_binary(Nested, [{minor_version, 2}]), 0, Buffers)),
    file:write_file("compressed.nx", nx(term_to_binary(Nested, [{compressed, 9}]), 0, Buffers)),
    {_, Big} = nested(big),
    file:write_file("big.nx", nx(term_to_binary(Nested), 1, Big)),
    Old = {1, little,
           {'Elixir.Nx.Container.Container',
            [{a, {'Elixir.Nx.Container.Tuple',
                  [{[], {tensor, {}, {s, 64}, [], <<1:64/little>>}},
                   {[], {tensor, {}, {s, 64}, [], <<2:64/little>>}}], ok}},
             {b, {'Elixir.Nx.Container.Map', [{key, {tensor, {}, {s, 64}, [], <<3:64/little>>}}], ok}}],
            [{d, kept}]}},
    file:write_file("old.nx", term_to_binary(Old)).

nx(Header, Endian, Buffers) -> [<<"nx", 1, Endian, (byte_size(Header)):64>>, Header, Buffers].

%% A struct with a tuple, a map, metadata of many kinds, and types of every width.
nested(Order) ->
    N = fun(V, Bits) -> case Order of little -> <<V:Bits/little>>; big -> <<V:Bits/big>> end end,
    F = fun(V, Bits) -> case Order of little -> <<V:Bits/float-little>>; big -> <<V:Bits/float-big>> end end,
    Parts = [
        <<(F(1.5, 32))/binary, (F(-2.0, 32))/binary, (F(0.25, 32))/binary>>, % a[0] f32[x: 3] vectorised
        <<(F(0.1, 64))/binary, (F(-1.0e300, 64))/binary>>,                   % a[1] f64[1][2]
        <<(N(16#3F80, 16))/binary, (N(16#C000, 16))/binary>>,                % b.k1 bf16[2]: 1, -2
        <<(F(1.0, 32))/binary, (F(-3.0, 32))/binary>>,                       % b.k2 c64 1-3i
        <<1:4, 15:4, 7:4, 0:4>>,                                             % b.k3 u4[3]: 1 15 7
        <<3:2, 1:2, 0:2, 2:2>>,                                              % b.k4 s2[4]: -1 1 0 -2
        <<16#3C, 16#C0>>,                                                    % b.k5 f8[2]: 1, -2
        <<16#38>>,                                                           % b.k6 f8_e4m3fn: 1
        <<(N(16#FFFFFFFFFFFFFFFF, 64))/binary>>                              % b.k7 u64[1]
    ],
    Specs = [{{3}, {f, 32}, [x], [{x, 3}]}, {{1, 2}, {f, 64}, [nil, cols], []}, {{2}, {bf, 16}, [nil], []},
             {{}, {c, 64}, [], []}, {{3}, {u, 4}, [nil], []}, {{4}, {s, 2}, [nil], []}, {{2}, {f, 8}, [nil], []},
             {{}, {f8_e4m3fn, 8}, [], []}, {{1}, {u, 64}, [nil], []}],
    {Ts, _} = lists:mapfoldl(
        fun({{Shape, Type, Names, Vectors}, Part}, Offset) ->
            {{t, Shape, Type, Names, Vectors, Offset, byte_size(Part)}, Offset + byte_size(Part)}
        end, 0, lists:zip(Specs, Parts)),
    [A0, A1 | Rest] = Ts,
    Map = lists:zip([k1, k2, k3, k4, k5, k6, <<"k7">>], Rest),
    Keep = [{kept, [1.5, <<"text">>, 70000, -5, 1 bsl 40, "string", #{a => []}, {}]}],
    {{'Elixir.My.Model', [{a, {'Elixir.Nx.Container.Tuple', [{[], A0}, {[], A1}], ok}},
                          {b, {'Elixir.Nx.Container.Map', Map, ok}}], Keep},
     iolist_to_binary(Parts)}.
