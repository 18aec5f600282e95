import { useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { useCommands } from '../../base/commands';
import { t } from '../../base/text';
import { PlatformPage } from '../PlatformPage';
import { AiTools } from './AiTools';
import { Providers } from './Providers';

export default function AiPage() {
  const [making, setMaking] = useState(false);
  const begin = (): void => setMaking(true);
  useCommands([{ id: 'new-ai-provider', label: t('ai.new'), icon: 'plus', keys: 'c', perform: begin }], []);
  return (
    <PlatformPage
      title={t('ai.title')}
      actions={
        <Button kind="primary" icon="plus" onClick={begin}>
          {t('ai.new')}
        </Button>
      }>
      {() => (
        <>
          <Providers making={making} make={setMaking} />
          <AiTools />
        </>
      )}
    </PlatformPage>
  );
}
