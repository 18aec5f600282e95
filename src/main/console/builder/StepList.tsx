import type { ComponentChildren } from 'preact';
import { Icon } from '../base/components/Icon';
import { Dialog } from '../base/components/Dialog';
import { useBuilder } from './context';
import type { Step } from './steps';

export function StepListDialog({
  title,
  text,
  entries,
  onClose,
  footer,
}: {
  title: string;
  text: string;
  entries: Array<{ step: Step; number: number; message: string }>;
  onClose: () => void;
  footer?: ComponentChildren;
}) {
  const { focus } = useBuilder();
  return (
    <Dialog title={title} onClose={onClose} footer={footer}>
      <div class="body">
        <p>{text}</p>
        <ul class="blocked-steps">
          {entries.map(({ step, number, message }) => (
            <li key={`${step.name} ${message}`}>
              <button
                type="button"
                class="blocked-step"
                data-listed={step.name}
                onClick={() => {
                  onClose();
                  focus.set({ step: step.name, side: step.type === 'EMPTY' ? 'picker' : 'step' });
                }}>
                <Icon name="triangle-alert" />
                <span>
                  <b>
                    {number}. {step.displayName}
                  </b>
                  <br />
                  <span class="faint">{message}</span>
                </span>
                <Icon name="chevron-right" />
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
