import { Notice } from '../../base/components/States';
import { useStore } from '../../base/store';
import type { Step } from '../steps';
import { warnings, warningsOf } from '../warnings';

export function StepWarnings({ step }: { step: Step }) {
  const messages = warningsOf(useStore(warnings), step.name);
  return messages.length === 0 ? null : (
    <div data-step-warnings>
      {messages.map((message) => (
        <Notice key={message} tone="amber">
          {message}
        </Notice>
      ))}
    </div>
  );
}
