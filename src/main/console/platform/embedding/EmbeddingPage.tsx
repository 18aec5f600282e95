import { LinkButton } from '../../base/components/Button';
import { Once } from '../../base/components/SecretDialog';
import { Panel } from '../../base/components/Panel';
import { Notice } from '../../base/components/States';
import { complain } from '../../base/components/Toasts';
import { prefix } from '../../base/prefix';
import { reloadFlags, session } from '../../base/session';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { Loaded } from '../Loaded';
import { PlatformPage } from '../PlatformPage';
import { TextList } from '../TextList';
import { usePlatform } from '../usePlatform';
import { pageOf, originOf, tokenOf } from './snippets';

export default function EmbeddingPage() {
  return <PlatformPage title={t('embedding.title')}>{() => <Embedding />}</PlatformPage>;
}

function Embedding() {
  const { platform, change } = usePlatform();
  const everywhere = useStore(session, (now) =>
    now.state === 'in' ? ((now.flags['ALLOWED_EMBED_ORIGINS'] as string[] | undefined) ?? []) : [],
  );
  const save = async (allowedEmbedOrigins: string[]): Promise<boolean> => {
    const failure = await change({ allowedEmbedOrigins });
    if (failure) {
      complain(failure);
    }
    await reloadFlags();
    return !failure;
  };
  const server = location.origin + prefix;
  return (
    <Loaded query={platform}>
      {(known) => {
        const bySetting = everywhere.filter((origin) => !known.allowedEmbedOrigins.includes(origin));
        return (
          <>
            <Panel title={t('embedding.origins')} text={t('embedding.originsText')}>
              {known.allowedEmbedOrigins.length + bySetting.length === 0 ? (
                <Notice tone="blue">{t('embedding.nobody')}</Notice>
              ) : null}
              {bySetting.length > 0 ? (
                <p class="faint">{t('embedding.bySetting', { origins: bySetting.join(', ') })}</p>
              ) : null}
              <TextList
                label={t('embedding.origin')}
                help={t('embedding.originHelp')}
                placeholder="https://app.acme.example"
                items={known.allowedEmbedOrigins}
                read={originOf}
                problem={t('embedding.badOrigin')}
                onItems={save}
              />
            </Panel>
            <Panel
              title={t('embedding.how')}
              text={t('embedding.howText')}
              actions={
                <LinkButton to="/platform/keys?view=signing" icon="key-round">
                  {t('keys.signing')}
                </LinkButton>
              }>
              <h3>{t('embedding.first')}</h3>
              <p class="faint">{t('embedding.firstText')}</p>
              <Once text={tokenOf()} />
              <h3>{t('embedding.second')}</h3>
              <p class="faint">{t('embedding.secondText')}</p>
              <Once text={pageOf(server)} />
            </Panel>
          </>
        );
      }}
    </Loaded>
  );
}
