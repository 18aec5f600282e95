import { equal, test } from '../../base/testing';
import { dragged, freshNote, resized } from './model';

test('a note lies in the middle, and never exactly on another one', () => {
  const first = freshNote('a', { x: 300, y: 200 }, []);
  equal(first.position, { x: 190, y: 134 });
  equal(freshNote('b', { x: 300, y: 200 }, [first]).position, { x: 214, y: 158 });
});

test('a note follows the pointer on a ground that is drawn smaller, and keeps a size that can be read', () => {
  const note = freshNote('a', { x: 110, y: 66 }, []);
  equal(dragged(note, 10, -5, 0.5).position, { x: 20, y: -10 });
  equal(resized(note, -1000, 34, 1).size, { width: 140, height: 166 });
});
