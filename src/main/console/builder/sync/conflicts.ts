import { givenOf, type Given, type Note, type Operation, type Version } from '../operations';
import { findStep, type Branch } from '../steps';
import { same, put } from './merge';
import type { Conflict } from './rebase';
import { noteOf } from './seen';

const BRANCHES = ['settings', 'branches'];

const isOfSame = (one: Conflict, other: Conflict): boolean =>
  same([one.subject, one.path], [other.subject, other.path]);

export const joined = (known: readonly Conflict[], newer: readonly Conflict[]): Conflict[] => [
  ...known.filter((each) => !newer.some((other) => isOfSame(each, other))),
  ...newer,
];

/** Operations that set the property to this editor's value; none if its step or note was removed. */
export function withMine(version: Version, { subject, path, mine }: Conflict): Operation[] {
  switch (subject.kind) {
    case 'flow':
      return [{ type: 'CHANGE_NAME', request: { displayName: String(mine) } }];
    case 'note': {
      const note = version.notes.find(({ id }) => id === subject.id);
      return note ? [{ type: 'UPDATE_NOTE', request: put(noteOf(note), path, mine) as Note }] : [];
    }
    case 'step': {
      const step = findStep(version.trigger, subject.name);
      if (!step) {
        return [];
      }
      if (same(path, BRANCHES) && !Array.isArray(mine)) {
        const { branchName, conditions } = mine as Branch;
        const branchIndex = Math.max(0, (step.settings.branches ?? []).length - 1);
        return [
          {
            type: 'ADD_BRANCH',
            request: { stepName: step.name, branchIndex, branchName, ...(conditions ? { conditions } : {}) },
          },
        ];
      }
      const given = givenOf(step);
      const request = path.length === 0 ? { ...given, ...(mine as Partial<Given>) } : (put(given, path, mine) as Given);
      return [{ type: step.name === 'trigger' ? 'UPDATE_TRIGGER' : 'UPDATE_ACTION', request }];
    }
  }
}
