/**
 * The shapes that the server sends, as docs/extend/web_protocol.md defines them. Nothing runs here.
 *
 * @typedef {{action: number, kind: string, name: string, label: string, card: ?string,
 *   suit?: ?string, value?: ?(string|number)}} Action
 * @typedef {{seat: number, name: string, kind: string, level: string, here: boolean, team: ?number,
 *   role: string, cards: number, hand: (?string)[], said: string,
 *   counts: Object<string, number>, total: ?number}} Seat
 * @typedef {{number: number, cards: {seat: number, card: ?string}[], winner: ?number}} Trick
 * @typedef {{step: ?number, seat: ?number, word: string, kind: string, card: ?string,
 *   trick: number}} Entry an entry of the log
 * @typedef {{words: string, utilities: number[], unit: string, scores: ?number[],
 *   dealt: string[][]}} Result
 *
 * @typedef {object} View what one seat may see of the table; a position of a finished deal, too
 * @property {string} is `view` or `position`
 * @property {string} table
 * @property {string} at names the position
 * @property {number} fresh the index of the first new entry of the log
 * @property {string} game
 * @property {string} title
 * @property {Object<string, *>} parameters
 * @property {string} deck
 * @property {string} unit
 * @property {number} number of the deal, as friends may share it
 * @property {number} deal of the table, from 0
 * @property {?number} you
 * @property {number} bottom the seat at the bottom of the table
 * @property {string} eyes `seat`, `public` or `all`
 * @property {?number} turn
 * @property {boolean} thinking
 * @property {boolean} over
 * @property {string} prompt
 * @property {number} choose how many actions of one kind are asked for
 * @property {?string} trump
 * @property {string} contract
 * @property {[string, string][]} facts
 * @property {Seat[]} seats
 * @property {string[][]} hand suit by suit
 * @property {{name: string, count: number, cards: (?string)[]}[]} piles
 * @property {Trick} trick
 * @property {?Trick} last_trick
 * @property {Trick[]} tricks
 * @property {Entry[]} log
 * @property {Action[]} actions
 * @property {{card: string, why: string}[]} illegal
 * @property {{undo: boolean, claim: boolean, next: boolean, review: boolean, explain: string[],
 *   belief: boolean, comment: boolean}} can
 * @property {{forced: boolean, hints: string, pace: number, paused: boolean}} settings
 * @property {?{goal: ?number, deals: number, over: boolean, totals: number[], words: string}} match
 * @property {?Result} result
 * @property {{step: number, text: string}[]} comments on the decisions of a finished deal
 * @property {number} [steps] of a position: how many decisions the deal had
 * @property {?{action: number, name: string, label: string}} [played] of a position
 *
 * @typedef {{action: number, name: string, card: ?string, chance: ?number, mean: ?number,
 *   low: ?number, high: ?number, best: ?number, base: boolean}} Verdict
 * @typedef {{at: string, question: string, deal: ?number, step: ?number, seat: number,
 *   agent: string, round: number, rounds: number, worlds: number, of: number, value: ?number,
 *   unit: string, why: string, verdicts: Verdict[], done: boolean, cancelled?: boolean}} Analysis
 * @typedef {{at: string, seat: number, worlds: number, places: string[],
 *   cards: {card: string, chances: number[]}[], truth: ?Object<string, string>}} Belief
 * @typedef {{step: number, seat: number, played: {action: number, name: string},
 *   better: {action: number, name: string}, lost: number, error: number, unit: string,
 *   why: string, deal_lost: ?number}} Mistake
 * @typedef {{deal: number, seat: ?number, checked: number, of: number, done: boolean,
 *   mistakes: Mistake[]}} Review
 */

export {};
