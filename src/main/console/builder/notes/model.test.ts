import { equal, test } from '../../base/testing';
import { layOut } from '../canvas/layout';
import { add, apply, type Given, type Operation, type Version } from '../operations';
import { noteMoves } from './follow';
import { dragged, freshNote, resized } from './model';

test('a note lies in the middle, to the right of the steps there, and never over another one', () => {
  const first = freshNote('a', { x: 300, y: 200 }, [], []);
  equal(first.position, { x: 190, y: 134 });
  const card = { x: 168, y: 180, width: 264, height: 60 };
  const beside = freshNote('b', { x: 300, y: 200 }, [first], [card, { ...card, y: 600 }]);
  equal(beside.position, { x: 472, y: 134 });
  equal(freshNote('c', { x: 300, y: 200 }, [first, beside], [card]).position, { x: 472, y: 282 });
});

test('a note follows the pointer on a ground that is drawn smaller, and keeps a size that can be read', () => {
  const note = freshNote('a', { x: 110, y: 66 }, [], []);
  equal(dragged(note, 10, -5, 0.5).position, { x: 20, y: -10 });
  equal(resized(note, -1000, 34, 1).size, { width: 140, height: 166 });
});

const given = (name: string): Given => ({ name, type: 'CODE', displayName: name, valid: true, settings: {} });

test('a note stays beside its step when steps are added above, and undoing takes it back', () => {
  const trigger = { ...given('trigger'), nextAction: given('step_1') };
  const card = layOut(trigger).cards[1]!;
  const note = freshNote('a', { x: card.x, y: card.y + card.height / 2 }, [], [card]);
  const before: Version = { displayName: 'Orders', trigger, notes: [note] };
  const added = add({ parent: 'trigger', location: 'AFTER' }, given('step_2'));
  const moves = noteMoves(before, [added]);
  const after = [added, ...moves].reduce<Version>(apply, before);
  const now = layOut(after.trigger).cards.find(({ step }) => step.name === 'step_1')!;
  equal(after.notes[0]!.position, { x: note.position.x + now.x - card.x, y: note.position.y + now.y - card.y });
  equal(moves.length, 1);
  const removed: Operation = { type: 'DELETE_ACTION', request: { names: ['step_2'] } };
  equal([removed, ...noteMoves(after, [removed])].reduce<Version>(apply, after).notes, before.notes);
});

test('a note is left alone by operations that move no step', () => {
  const before: Version = {
    displayName: 'Orders',
    trigger: given('trigger'),
    notes: [freshNote('a', { x: 0, y: 0 }, [], [])],
  };
  equal(
    noteMoves(before, [
      { type: 'CHANGE_NAME', request: { displayName: 'Other' } },
      add({ parent: 'trigger', location: 'AFTER' }, given('step_1')),
    ]),
    [],
  );
});
