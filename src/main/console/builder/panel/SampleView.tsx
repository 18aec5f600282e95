import { useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { CopyButton } from '../../base/components/CopyButton';
import { Tabs } from '../../base/components/Tabs';
import { parseJson } from '../../base/json';
import { t } from '../../base/text';
import { moment } from '../../base/time';
import { Tree } from '../data/Tree';
import { Code } from '../fields/Code';

export function SampleView({
  value,
  nothing,
  when,
  keep,
}: {
  value: unknown;
  nothing: boolean;
  when?: string;
  keep: (value: unknown) => void;
}) {
  const [tab, setTab] = useState('tree');
  const [mock, setMock] = useState<string>();
  const text = value === undefined ? '' : JSON.stringify(value, null, 2);
  if (mock !== undefined) {
    const parsed = parse(mock);
    return (
      <div class="column">
        <Code label={t('test.byHand')} language="json" tall value={mock} onValue={setMock} />
        <div class="row">
          <Button
            kind="primary"
            disabled={!parsed}
            onClick={() => {
              keep(parsed!.value);
              setMock(undefined);
            }}>
            {t('test.keep')}
          </Button>
          <Button onClick={() => setMock(undefined)}>{t('base.cancel')}</Button>
          {parsed ? null : <span class="problem-text">{t('field.badJson')}</span>}
        </div>
      </div>
    );
  }
  const byHand = (
    <Button kind="quiet" size="small" icon="pencil" needs="WRITE_FLOW" onClick={() => setMock(text || '{\n  \n}')}>
      {t('test.byHand')}
    </Button>
  );
  if (nothing) {
    return (
      <div class="column">
        <p class="faint">{t('test.nothing')}</p>
        <div>{byHand}</div>
      </div>
    );
  }
  return (
    <div class="output">
      <div class="row">
        <span class="faint">{when ? t('test.when', { time: moment(when) }) : ''}</span>
        <span class="spread" />
        {byHand}
        <CopyButton text={text} />
      </div>
      <Tabs
        label={t('panel.test')}
        chosen={tab}
        onChoose={setTab}
        tabs={[
          { key: 'tree', label: t('test.tree') },
          { key: 'json', label: t('test.json') },
        ]}>
        {tab === 'tree' ? (
          <div role="tree" class="output-tree">
            <Tree name={t('data.all')} value={value} open />
          </div>
        ) : (
          <pre class="output-json">{text}</pre>
        )}
      </Tabs>
    </div>
  );
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined;
  }
}
