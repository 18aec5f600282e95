import { parseJson } from '../base/json';
import { kept } from '../base/kept';
import { say } from '../base/components/Toasts';
import { useCommands } from '../base/commands';
import { t } from '../base/text';
import { useBuilder } from './context';
import { dataPicker } from './fields/active';
import { add, addAll, moveTo, type Given } from './operations';
import { findStep, isInside, walk, type Place, type Step } from './steps';
import { alone, copyOf } from './tree';

const CLIP = 'millrace.clipboard';

export interface Gestures {
  open: (name: string) => void;
  pick: (place: Place | undefined) => void;
  choose: (given: Given) => void;
  closePicker: () => void;
  move: (name: string, place: Place) => void;
  onKey: (event: KeyboardEvent, step: Step) => void;
}

const focusCard = (name: string): void => {
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-step="${name}"]`)?.focus({ preventScroll: true }),
    ),
  );
};

export function useGestures(): Gestures {
  const { builder, focus } = useBuilder();
  const trigger = (): Step => builder.version.trigger;
  const open = (name: string): void => {
    const step = findStep(trigger(), name);
    focus.set(step?.type === 'EMPTY' ? { step: name, side: 'picker' } : { step: name, side: 'step' });
  };
  const pick = (place: Place | undefined): void => focus.update((now) => ({ ...now, side: 'picker', place }));
  const place = (): Place => ({ parent: focus.get().step ?? 'trigger', location: 'AFTER' });
  const choose = (given: Given): void => {
    const { place: at } = focus.get();
    builder.perform(at ? add(at, given) : { type: 'UPDATE_TRIGGER', request: given });
    focus.set({ step: given.name, side: 'step' });
  };
  const drop = (step: Step): void => {
    if (step.name === 'trigger') {
      return;
    }
    const parent = walk(trigger()).find((each) => each.step.name === step.name)?.place?.parent ?? 'trigger';
    builder.perform({ type: 'DELETE_ACTION', request: { names: [step.name] } });
    focus.set({ step: parent, side: 'none' });
    focusCard(parent);
    say(t('builder.deleted', { name: step.displayName }), { label: t('builder.undo'), perform: () => builder.undo() });
  };
  const copy = (step: Step): void => {
    if (step.name !== 'trigger') {
      kept.set(CLIP, JSON.stringify(alone(step)));
      say(t('builder.copied', { name: step.displayName }));
    }
  };
  const paste = (): void => {
    const text = kept.get(CLIP);
    if (text !== null) {
      const fresh = copyOf(trigger(), parseJson(text) as Step);
      builder.perform(...addAll(place(), fresh));
      focus.set({ step: fresh.name, side: 'none' });
      focusCard(fresh.name);
    }
  };
  const skip = (step: Step): void => {
    if (step.name !== 'trigger') {
      builder.perform({ type: 'SET_SKIP_ACTION', request: { names: [step.name], skip: !step.skip } });
    }
  };
  const duplicate = (step: Step): void => {
    if (step.name !== 'trigger') {
      builder.perform({ type: 'DUPLICATE_ACTION', request: { stepName: step.name } });
    }
  };
  const move = (name: string, at: Place): void => {
    const step = findStep(trigger(), name);
    const from = walk(trigger()).find((each) => each.step.name === name)?.place;
    const stays =
      from !== undefined &&
      (at.parent === name ||
        (from.parent === at.parent && from.location === at.location && from.branchIndex === at.branchIndex));
    if (step && !stays && !isInside(step, at.parent)) {
      builder.perform(moveTo(name, at));
    }
  };
  const shift = (step: Step, by: 1 | -1): void => {
    const visited = walk(trigger());
    const from = visited.find((each) => each.step.name === step.name)?.place;
    if (by === 1 && step.nextAction) {
      move(step.name, { parent: step.nextAction.name, location: 'AFTER' });
    } else if (by === -1 && from?.location === 'AFTER') {
      const above = visited.find((each) => each.step.name === from.parent)?.place;
      if (above) {
        move(step.name, above);
      }
    }
    focusCard(step.name);
  };
  const selected = (): Step | undefined => findStep(trigger(), focus.get().step ?? 'trigger');
  const withSelected = (perform: (step: Step) => void) => (): void => {
    const step = selected();
    if (step) {
      perform(step);
    }
  };
  const onCanvas = (): boolean =>
    document.activeElement?.closest('.canvas') != null || document.activeElement === document.body;
  const close = (): void => {
    const { step, side } = focus.get();
    if (dataPicker.get()) {
      dataPicker.set(false);
    } else if (side !== 'none') {
      focus.set({ step, side: 'none' });
      focusCard(step ?? 'trigger');
    }
  };
  const group = t('builder.group');
  const needs = 'WRITE_FLOW' as const;
  useCommands(
    [
      {
        id: 'builder-undo',
        label: t('builder.undo'),
        icon: 'undo-2',
        keys: 'Ctrl+z',
        group,
        needs,
        when: () => onCanvas() && builder.store.get().undo.length > 0,
        perform: () => builder.undo(),
      },
      {
        id: 'builder-redo',
        label: t('builder.redo'),
        icon: 'redo-2',
        keys: 'Ctrl+y',
        group,
        needs,
        when: () => onCanvas() && builder.store.get().redo.length > 0,
        perform: () => builder.redo(),
      },
      {
        id: 'builder-redo-again',
        label: '',
        keys: 'Ctrl+Shift+z',
        group,
        needs,
        when: () => onCanvas() && builder.store.get().redo.length > 0,
        perform: () => builder.redo(),
      },
      {
        id: 'builder-add',
        label: t('builder.add'),
        icon: 'plus',
        keys: '/',
        group,
        needs,
        perform: () => pick(selected()?.type === 'EMPTY' ? undefined : place()),
      },
      {
        id: 'builder-copy',
        label: t('builder.copy'),
        icon: 'copy',
        keys: 'Ctrl+c',
        group,
        when: () => onCanvas() && String(getSelection()) === '',
        perform: withSelected(copy),
      },
      {
        id: 'builder-paste',
        label: t('builder.paste'),
        icon: 'clipboard-paste',
        keys: 'Ctrl+v',
        group,
        needs,
        when: () => onCanvas() && kept.get(CLIP) !== null,
        perform: paste,
      },
      {
        id: 'builder-duplicate',
        label: t('builder.duplicate'),
        icon: 'copy',
        keys: 'Ctrl+d',
        group,
        needs,
        when: onCanvas,
        perform: withSelected(duplicate),
      },
      {
        id: 'builder-skip',
        label: t('builder.skip'),
        icon: 'skip-forward',
        keys: 'Ctrl+e',
        group,
        needs,
        when: onCanvas,
        perform: withSelected(skip),
      },
      {
        id: 'builder-delete',
        label: t('builder.delete'),
        icon: 'trash-2',
        keys: 'Delete',
        group,
        needs,
        when: onCanvas,
        perform: withSelected(drop),
      },
      {
        id: 'builder-up',
        label: t('builder.up'),
        icon: 'arrow-up',
        keys: 'Alt+ArrowUp',
        group,
        needs,
        when: onCanvas,
        perform: withSelected((step) => shift(step, -1)),
      },
      {
        id: 'builder-down',
        label: t('builder.down'),
        icon: 'arrow-down',
        keys: 'Alt+ArrowDown',
        group,
        needs,
        when: onCanvas,
        perform: withSelected((step) => shift(step, 1)),
      },
      { id: 'builder-close', label: '', keys: 'Escape', perform: close },
    ],
    [builder],
  );
  const onKey = (event: KeyboardEvent, step: Step): void => {
    if (event.key === 'Tab' || event.key === 'Enter') {
      return;
    }
    if (focus.get().step !== step.name) {
      focus.update((now) => ({ ...now, step: step.name }));
    }
  };
  return {
    open,
    pick,
    choose,
    move,
    onKey,
    closePicker: () => focus.update((now) => (now.side === 'picker' ? { step: now.step, side: 'none' } : now)),
  };
}
