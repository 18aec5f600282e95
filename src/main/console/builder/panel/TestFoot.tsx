import { Button } from '../../base/components/Button';
import { onMac, written } from '../../base/keymap';
import { useMay } from '../../base/permissions';
import { t } from '../../base/text';
import type { Step } from '../steps';

/** Button that tests a step, below the scrolled fields: it keeps its place when warnings appear among them. */
export function TestFoot({ step, test }: { step: Step; test: () => void }) {
  return useMay('WRITE_FLOW') ? (
    <footer class="panel-foot">
      <Button
        icon="play"
        disabled={!step.valid}
        more={{ 'data-test-step': '', title: written('Ctrl+Enter', onMac()) }}
        onClick={test}>
        {t(step.name === 'trigger' ? 'panel.testTrigger' : 'panel.testStep')}
      </Button>
    </footer>
  ) : null;
}
