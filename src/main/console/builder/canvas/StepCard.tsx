import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../../base/components/Icon';
import type { Tone } from '../../base/components/States';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import type { Step } from '../steps';
import type { Card } from './layout';
import { PieceLogo } from './PieceLogo';
import { pieceTitle, summaries } from './pieces';

export interface Mark {
  tone: Tone;
  icon: IconName;
  spin?: boolean;
  /** Tooltip and text for screen readers. */
  text: string;
  note?: ComponentChildren;
  /** Colors the edge of the card. */
  edge?: boolean;
}

interface Props {
  card: Card;
  selected: boolean;
  /** In the tab order; arrow keys reach all cards. */
  reachable: boolean;
  mark: Mark | undefined;
  onSelect: () => void;
  draggable?: boolean;
  onContextMenu?: (event: MouseEvent) => void;
}

export function StepCard({ card, selected, reachable, mark, onSelect, draggable, onContextMenu }: Props) {
  const { step } = card;
  useStore(summaries);
  const classes = [
    'step-card',
    step.skip ? 'skipped' : '',
    step.type === 'EMPTY' ? 'vacant' : '',
    mark?.edge ? `tone-${mark.tone}` : '',
  ];
  return (
    <button
      type="button"
      class={classes.filter(Boolean).join(' ')}
      data-step={step.name}
      aria-current={selected ? 'step' : undefined}
      aria-label={[`${card.number} ${step.displayName}`, step.skip ? t('canvas.skipped') : '', mark?.text ?? '']
        .filter(Boolean)
        .join(', ')}
      tabIndex={reachable ? 0 : -1}
      draggable={draggable}
      onClick={onSelect}
      onContextMenu={onContextMenu}
      onDragStart={(event) => {
        event.dataTransfer?.setData('text/x-step', step.name);
        event.dataTransfer!.effectAllowed = 'move';
        const { left, top } = event.currentTarget.getBoundingClientRect();
        event.dataTransfer!.setDragImage(event.currentTarget, event.clientX - left, event.clientY - top);
      }}
      style={{ left: `${card.x}px`, top: `${card.y}px`, width: `${card.width}px`, height: `${card.height}px` }}>
      <PieceLogo step={step} />
      <span class="step-words">
        <span class="step-name cut" title={step.displayName}>
          {card.number}. {step.displayName}
        </span>
        {kindOf(step) === step.displayName ? null : <span class="step-kind cut">{kindOf(step)}</span>}
      </span>
      {step.skip ? (
        <span class="step-mark tone-grey" title={t('canvas.skipped')}>
          <Icon name="skip-forward" />
        </span>
      ) : null}
      {mark ? (
        <span class={`step-mark tone-${mark.tone}`} title={mark.text}>
          {mark.note ? <span class="step-note">{mark.note}</span> : null}
          <Icon name={mark.icon} spin={mark.spin ?? false} />
        </span>
      ) : null}
    </button>
  );
}

export function kindOf(step: Step): string {
  switch (step.type) {
    case 'CODE':
      return t('canvas.kind.code');
    case 'LOOP_ON_ITEMS':
      return t('canvas.kind.loop');
    case 'ROUTER':
      return t('canvas.kind.router');
    case 'EMPTY':
      return t('canvas.kind.empty');
    default:
      return pieceTitle(step.settings.pieceName ?? '');
  }
}
