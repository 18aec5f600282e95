import { equal, test } from '../../base/testing';
import { inView, isExact, isOffered, offering, tagsOf, type Piece } from './offer';

const blocked = { filteredPieceNames: ['b'], filteredPieceBehavior: 'BLOCKED' } as const;
const allowed = { filteredPieceNames: ['b'], filteredPieceBehavior: 'ALLOWED' } as const;
const offerOf = (offer: { filteredPieceNames: readonly string[]; filteredPieceBehavior: 'ALLOWED' | 'BLOCKED' }) => ({
  ...offer,
  filteredPieceNames: [...offer.filteredPieceNames],
});

test('blocked pieces are hidden, and so are pieces that are not on an allow list', () => {
  equal(
    ['a', 'b'].map((name) => isOffered(offerOf(blocked), name)),
    [true, false],
  );
  equal(
    ['a', 'b'].map((name) => isOffered(offerOf(allowed), name)),
    [false, true],
  );
});

test('offering and hiding change the list according to its kind', () => {
  equal([offering(offerOf(blocked), 'a', false), offering(offerOf(blocked), 'b', true)], [['b', 'a'], []]);
  equal([offering(offerOf(allowed), 'a', true), offering(offerOf(allowed), 'b', false)], [['b', 'a'], []]);
});

test('a view shows its pieces', () => {
  const pieces = [
    { name: 'a', pieceType: 'OFFICIAL' },
    { name: 'b', pieceType: 'CUSTOM' },
  ] as Piece[];
  const names = (view: 'all' | 'installed' | 'hidden') =>
    inView(pieces, view, offerOf({ ...blocked, filteredPieceNames: ['a'] })).map((piece) => piece.name);
  equal([names('all'), names('installed'), names('hidden')], [['a', 'b'], ['b'], ['a']]);
});

test('tags are typed between commas, each once', () => {
  equal(tagsOf(' sales, ,crm,sales '), ['sales', 'crm']);
});

test('a version is exact', () => {
  equal(['1.2.3', '0.1.0-beta.1', '^1.2.3', '1.2', 'latest'].map(isExact), [true, true, false, false, false]);
});
