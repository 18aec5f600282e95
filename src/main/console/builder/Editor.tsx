import { useEffect, useMemo, useState } from 'preact/hooks';
import { Icon } from '../base/components/Icon';
import { useLive } from '../base/live/channel';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { Canvas } from './canvas/Canvas';
import { BranchLabel } from './BranchLabel';
import { useBuilder } from './context';
import { useGestures } from './gestures';
import { Head } from './Head';
import { PanelOf } from './panel/StepPanel';
import { Picker } from './picker/Picker';
import { isInside, findStep, type Place, type Step } from './steps';
import type { Mark } from './canvas/StepCard';
import { Versions } from './versions/Versions';
import { reasonOf } from './validity';

/** The canvas with the bar above it and what is open beside it. */
export function Editor() {
  const { builder, focus } = useBuilder();
  const { version } = useStore(builder.store);
  const { step, side, place } = useStore(focus);
  const gestures = useGestures();
  const [dragged, drag] = useState<string>();
  useLive('CONNECTED', () => void builder.reload());
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') {
        void builder.reload();
      }
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [builder]);
  const shown = useMemo(() => step ? findStep(version.trigger, step) : undefined, [version.trigger, step]);
  const droppable = (at: Place): boolean => {
    const moved = dragged ? findStep(version.trigger, dragged) : undefined;
    return moved !== undefined && !isInside(moved, at.parent);
  };
  return (
    <div class="builder">
      <Head />
      <div class="builder-body" data-side={side === 'none' || side === 'picker' ? undefined : side}
        onDragStart={(event) => drag((event.target as HTMLElement).dataset['step'])} onDragEnd={() => drag(undefined)}>
        <Canvas
          trigger={version.trigger}
          label={t('builder.canvas', { name: version.displayName })}
          selected={step}
          onSelect={gestures.open}
          markOf={markOf}
          labelOf={(label) => <BranchLabel label={label} />}
          card={(card) => ({ draggable: card.place !== undefined })}
          onKey={gestures.onKey}
          slot={(at, last) => (
            <Plus place={at} last={last} dropping={dragged !== undefined && droppable(at)} onAdd={() => gestures.pick(at)}
              onDrop={() => dragged && gestures.move(dragged, at)} />
          )}
        />
        {side === 'versions' ? <Versions /> : side === 'step' && shown ? <PanelOf key={shown.name} step={shown} /> : null}
      </div>
      {side === 'picker' ? <Picker forTrigger={place === undefined} onClose={gestures.closePicker} onChoose={gestures.choose} /> : null}
    </div>
  );
}

function markOf(step: Step): Mark | undefined {
  return step.valid || step.skip ? undefined : { tone: 'amber', icon: 'triangle-alert', text: reasonOf(step) };
}

function Plus({ place, last, dropping, onAdd, onDrop }: { place: Place; last: boolean; dropping: boolean; onAdd: () => void; onDrop: () => void }) {
  const [over, enter] = useState(false);
  return (
    <button class={`plus${last ? ' last' : ''}${dropping ? ' dropping' : ''}${over && dropping ? ' over' : ''}`} type="button" data-place={[place.parent, place.location, ...(place.branchIndex === undefined ? [] : [place.branchIndex])].join('/')} aria-label={t('builder.add')} title={t('builder.add')} onClick={onAdd}
      onDragOver={(event) => {
        if (dropping) {
          event.preventDefault();
          enter(true);
        }
      }}
      onDragLeave={() => enter(false)}
      onDrop={(event) => {
        event.preventDefault();
        enter(false);
        onDrop();
      }}>
      <Icon name="plus" size={14} />
    </button>
  );
}
