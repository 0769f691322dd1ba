// The ring all-reduce, round by round, with numbers.
"use strict";

(() => {
  const { make, button, choice, labelled, status, start } = workshopPlay.parts;
  const { allReduce, complete, sent } = workshopPlay.ring;
  const RANKS = [2, 3, 4, 5, 6];
  const SUM = "Σ"; // marks a complete sum, beside its frame

  // Small numbers, so that sums can be checked in one's head.
  const each = (count, value) => Array.from({ length: count }, (_, number) => value(number));
  const bucket = (ranks) => each(ranks, (rank) => each(ranks, (piece) => ((3 * rank + 5 * piece) % 7) + 1));

  class Ring {
    constructor(place) {
      this.ranks = choice(RANKS.map((count) => [String(count), String(count)]), "4", () => this.begin());
      this.back = button("One back", () => this.go(this.done - 1));
      this.next = button("Next round", () => this.go(this.done + 1));
      const again = button("Start again", () => this.go(0));
      this.table = make("table", { className: "wk-ring" });
      this.said = status();
      this.moves = make("ul");
      place.append(
        make("div", { className: "wk-row" }, labelled("Ranks", this.ranks), this.back, this.next, again),
        this.table,
        this.said,
        this.moves,
      );
      this.begin();
    }

    begin() {
      this.values = bucket(Number(this.ranks.value));
      this.played = allReduce(this.values);
      this.go(0);
    }

    go(done) {
      const { rounds, states } = this.played;
      this.done = done;
      const round = rounds[done - 1];
      this.back.disabled = done === 0;
      this.next.disabled = done === rounds.length;
      this.fill(states[done], complete(this.values.length, done), round);
      this.said.replaceChildren(this.tell(done, rounds.length, round));
      this.moves.replaceChildren(...(round?.moves ?? []).map((move) => make("li", {}, words(move, round.sums))));
    }

    fill(state, whole, round) {
      const ranks = state.length;
      const heads = ["", ...state.map((_, piece) => `piece ${piece}`)];
      const head = heads.map((text) => (text ? make("th", { scope: "col" }, text) : make("td")));
      const rows = state.map((pieces, rank) => {
        const cells = pieces.map((value, piece) => {
          const come = round?.moves.find((move) => move.to === rank && move.piece === piece);
          const text = come && round.sums ? `${come.had} + ${come.sent} = ${come.has}` : String(value);
          const marks = [come && "wk-come", whole[rank][piece] && "wk-whole"].filter(Boolean);
          return make("td", { className: marks.join(" ") }, whole[rank][piece] ? `${text} ${SUM}` : text);
        });
        return make("tr", {}, make("th", { scope: "row" }, `rank ${rank}`), cells);
      });
      const caption = make("caption", {}, `A bucket on ${ranks} ranks. ${SUM}: the sum of all ranks.`);
      this.table.replaceChildren(caption, make("thead", {}, make("tr", {}, head)), make("tbody", {}, rows));
    }

    tell(done, total, round) {
      const ranks = this.values.length;
      if (!round) {
        return `Each rank has cut its bucket into ${ranks} pieces, and divided its gradients by ${ranks}. ` +
          `${ranks - 1} rounds will sum the pieces, ${ranks - 1} more will pass the sums on.`;
      }
      const share = `Each rank has sent ${done} of ${ranks} pieces: ${sent(ranks, done).toFixed(2)} times its bucket.`;
      const sums = "each rank sends a piece on, and adds the one that comes";
      const what = round.sums ? sums : "finished sums are passed on";
      const means = ` All have all sums; since each rank had divided by ${ranks}, they are the means.`;
      const end = done === total ? means : "";
      return `Round ${done} of ${total}: ${what}. ${share}${end}`;
    }
  }

  function words({ from, to, piece, sent: value, had, has }, sums) {
    const came = sums ? `which makes ${had} + ${value} = ${has} of it` : `which keeps it in place of ${had}`;
    return `Rank ${from} sends piece ${piece} (${value}) to rank ${to}, ${came}.`;
  }

  start("ring", (place) => new Ring(place));
})();
