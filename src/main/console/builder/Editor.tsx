import { useEffect, useMemo, useState } from 'preact/hooks';
import { Button } from '../base/components/Button';
import { Icon } from '../base/components/Icon';
import { useLive } from '../base/live/channel';
import { useMay } from '../base/permissions';
import { narrow } from '../base/router';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { unique } from '../base/unique';
import { Canvas } from './canvas/Canvas';
import { BranchLabel } from './BranchLabel';
import { brokenReferences } from './broken';
import { Conflicts } from './Conflicts';
import { useBuilder } from './context';
import { formulaProblems, useFormulaChecks } from './data/formulaProblems';
import { keepNames, withNames } from './data/stepNames';
import { useGestures } from './gestures';
import { Head } from './Head';
import { Lock } from './Lock';
import { freshNote } from './notes/model';
import { Notes } from './notes/Notes';
import { PanelOf } from './panel/StepPanel';
import { Picker } from './picker/Picker';
import { isInside, findStep, type Place, type Step } from './steps';
import type { Mark } from './canvas/StepCard';
import { TestRun, type Marks } from './TestRun';
import { Versions } from './versions/Versions';
import { reasonOf } from './validity';
import { useWarningsOf, warnings, warningsOf } from './warnings';

export function Editor() {
  const { builder, focus, tester, testRun, names, projectId } = useBuilder();
  const { version, renames } = useStore(builder.store);
  const { step, side, place } = useStore(focus);
  const mayWrite = useMay('WRITE_FLOW');
  const gestures = useGestures();
  const [dragged, setDragged] = useState<string>();
  const [marks, setMarks] = useState<Marks>();
  const testing = useStore(testRun);
  const found = useStore(warnings);
  useWarningsOf(builder);
  useLive('CONNECTED', () => void builder.reload());
  useLive('TEST_STEP_FINISHED', (data) => tester.hear(data), [tester]);
  useLive(
    'FLOW_CHANGED',
    (data) => {
      const changed = data as { flowId?: string; versionUpdated?: string };
      if (changed.flowId === builder.store.get().flow.id) {
        builder.announce(changed.versionUpdated ?? '');
      }
    },
    [builder],
  );
  useEffect(() => focus.update((now) => ({ ...now, step: renames.get(now.step ?? '') ?? now.step })), [renames]);
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') {
        void builder.reload();
      }
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [builder]);
  useEffect(() => {
    const now = withNames(names.get(), version.trigger);
    names.set(now);
    keepNames(builder.store.get().flow.id, now);
  }, [version.trigger]);
  const known = useStore(names);
  const formulas = useStore(formulaProblems);
  useFormulaChecks(version.trigger, projectId);
  const broken = useMemo(() => brokenReferences(version.trigger, known, formulas), [version.trigger, known, formulas]);
  useEffect(() => narrow({ step: side === 'step' ? step : undefined }), [step, side]);
  const shown = useMemo(() => (step ? findStep(version.trigger, step) : undefined), [version.trigger, step]);
  const droppable = (at: Place): boolean => {
    const moved = dragged ? findStep(version.trigger, dragged) : undefined;
    return moved !== undefined && !isInside(moved, at.parent);
  };
  return (
    <div class="builder">
      <Head />
      <Lock />
      <Conflicts />
      {testing ? <TestRun key={testing} id={testing} show={setMarks} close={() => testRun.set(undefined)} /> : null}
      <div
        class="builder-body"
        data-side={side === 'none' || side === 'picker' ? undefined : side}
        onDragStart={(event) => setDragged((event.target as HTMLElement).dataset['step'])}
        onDragEnd={() => setDragged(undefined)}>
        <Canvas
          trigger={version.trigger}
          label={t('builder.canvas', { name: version.displayName })}
          selected={step}
          onSelect={gestures.open}
          markOf={(each) => marks?.of(each) ?? markOf(each, broken.get(each.name) ?? [], warningsOf(found, each.name))}
          labelOf={(label) => <BranchLabel label={label} />}
          card={(card) => ({ draggable: mayWrite && card.place !== undefined })}
          onKey={gestures.onKey}
          buttons={({ middle, cards }) => (
            <Button
              kind="quiet"
              size="small"
              icon="sticky-note"
              needs="WRITE_FLOW"
              label={t('notes.add')}
              onClick={() =>
                builder.perform({ type: 'ADD_NOTE', request: freshNote(unique(), middle, version.notes, cards) })
              }
            />
          )}
          slot={(at, last) =>
            mayWrite ? (
              <Plus
                place={at}
                last={last}
                dropping={dragged !== undefined && droppable(at)}
                onAdd={() => gestures.pick(at)}
                onDrop={() => dragged && gestures.move(dragged, at)}
              />
            ) : null
          }>
          {({ scale }) => <Notes scale={scale} />}
        </Canvas>
        {side === 'versions' ? (
          <Versions />
        ) : side === 'step' && shown ? (
          <PanelOf key={shown.name} step={shown} />
        ) : null}
      </div>
      {side === 'picker' ? (
        <Picker forTrigger={place === undefined} onClose={gestures.closePicker} onChoose={gestures.choose} />
      ) : null}
    </div>
  );
}

function markOf(step: Step, broken: readonly string[], messages: readonly string[]): Mark | undefined {
  return step.skip
    ? undefined
    : broken.length > 0
      ? { tone: 'red', icon: 'circle-alert', text: broken.join(' · '), edge: true }
      : !step.valid
        ? { tone: 'amber', icon: 'triangle-alert', text: reasonOf(step) }
        : messages.length > 0
          ? { tone: 'amber', icon: 'info', text: messages.join(' · ') }
          : undefined;
}

function Plus({
  place,
  last,
  dropping,
  onAdd,
  onDrop,
}: {
  place: Place;
  last: boolean;
  dropping: boolean;
  onAdd: () => void;
  onDrop: () => void;
}) {
  const [over, setOver] = useState(false);
  return (
    <button
      class={`plus${last ? ' last' : ''}${dropping ? ' dropping' : ''}${over && dropping ? ' over' : ''}`}
      type="button"
      data-place={[place.parent, place.location, ...(place.branchIndex === undefined ? [] : [place.branchIndex])].join(
        '/',
      )}
      aria-label={t('builder.add')}
      title={t('builder.add')}
      onClick={onAdd}
      onDragOver={(event) => {
        if (dropping) {
          event.preventDefault();
          setOver(true);
        }
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDrop();
      }}>
      <Icon name="plus" size={14} />
    </button>
  );
}
