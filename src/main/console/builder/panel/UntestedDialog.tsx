import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { Dialog } from '../../base/components/Dialog';
import { PieceLogo } from '../canvas/PieceLogo';
import { t } from '../../base/text';
import { useBuilder } from '../context';
import type { Step } from '../steps';

/** Steps that wait for an external call are not offered. */
export function UntestedDialog({ step, untested, onClose }: { step: Step; untested: Step[]; onClose: () => void }) {
  const { tester } = useBuilder();
  const [listening, setListening] = useState<string>();
  useEffect(() => {
    const trigger = untested.find((each) => each.name === 'trigger');
    void (trigger ? tester.listens(trigger) : Promise.resolve(false)).then((isListening) =>
      setListening(isListening ? 'trigger' : ''),
    );
  }, []);
  const first = untested.filter((each) => each.name !== listening);
  const all = async (): Promise<void> => {
    onClose();
    for (const each of first) {
      if (!(await tester.begin(each.name))) {
        return;
      }
    }
    await tester.begin(step.name);
  };
  return (
    <Dialog
      title={t('test.untested')}
      onClose={onClose}
      footer={
        <footer>
          <Button onClick={onClose}>{t('base.cancel')}</Button>
          <Button
            more={{ 'data-alone': '' }}
            onClick={() => {
              onClose();
              void tester.begin(step.name);
            }}>
            {t('test.untested.alone')}
          </Button>
          {first.length > 0 ? (
            <Button kind="primary" disabled={listening === undefined} onClick={() => all()}>
              {t('test.untested.first')}
            </Button>
          ) : null}
        </footer>
      }>
      <div class="body">
        <p>{t('test.untested.text', { name: step.displayName })}</p>
        <ul class="plain-list">
          {untested.map((each) => (
            <li key={each.name} class="row" data-untested={each.name}>
              <PieceLogo step={each} size={16} />
              <span>{each.displayName}</span>
              {each.name === listening ? <span class="faint">{t('test.untested.listens')}</span> : null}
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
