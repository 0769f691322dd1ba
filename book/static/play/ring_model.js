// A ring all-reduce, round by round: first the pieces are summed while they go round, then the sums are passed on.
"use strict";

(() => {
  // `values`: for each rank its bucket, cut into as many pieces as there are ranks. Returns the state before each round
  // and after the last one, and each round's moves: {from, to, piece, sent, had, has}.
  function allReduce(values) {
    const ranks = values.length;
    const states = [values.map((pieces) => [...pieces])];
    const rounds = [];
    for (let number = 0; number < 2 * (ranks - 1); number++) {
      const sums = number < ranks - 1;
      const now = states.at(-1);
      const next = now.map((pieces) => [...pieces]);
      const moves = now.map((pieces, from) => {
        const to = (from + 1) % ranks;
        const piece = (from - number + (sums ? 0 : ranks) + 2 * ranks) % ranks;
        const [sent, had] = [pieces[piece], now[to][piece]];
        next[to][piece] = sums ? had + sent : sent;
        return { from, to, piece, sent, had, has: next[to][piece] };
      });
      rounds.push({ sums, moves });
      states.push(next);
    }
    return { states, rounds };
  }

  // Which pieces are complete sums, for each rank, after so many rounds.
  function complete(ranks, done) {
    const whole = Array.from({ length: ranks }, () => new Array(ranks).fill(false));
    if (ranks === 1) whole[0][0] = true;
    for (let number = ranks - 2; number < Math.min(done, 2 * (ranks - 1)); number++) {
      for (let from = 0; from < ranks; from++) whole[(from + 1) % ranks][(from - number + 2 * ranks) % ranks] = true;
    }
    return whole;
  }

  // How much each rank has sent after so many rounds, as a share of the bucket.
  const sent = (ranks, done) => done / ranks;

  globalThis.workshopPlay = { ...globalThis.workshopPlay, ring: { allReduce, complete, sent } };
})();
