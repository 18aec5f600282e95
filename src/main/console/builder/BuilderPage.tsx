import { useEffect, useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { Button } from '../base/components/Button';
import { Dialog } from '../base/components/Dialog';
import { Failed, Skeleton } from '../base/components/States';
import { complain } from '../base/components/Toasts';
import { useQuery } from '../base/query';
import { usePlace } from '../base/router';
import { createStore } from '../base/store';
import { session } from '../base/session';
import { count, t } from '../base/text';
import { Builder } from './builder';
import { BuilderProvider, type BuilderContext, type Focus } from './context';
import { Samples } from './data/samples';
import { keptNames, withNames } from './data/stepNames';
import { Editor } from './Editor';
import { loadPieces } from './canvas/pieces';
import { StepTester } from './panel/stepTester';

export default function BuilderPage({ params }: { params: Record<string, string> }) {
  const { projectId, flowId } = params as { projectId: string; flowId: string };
  const flow = useQuery(`flow ${flowId}`, (signal) => api('GET /v1/flows/{id}', { path: { id: flowId }, signal }));
  const [context, setContext] = useState<BuilderContext>();
  const [isAsking, setIsAsking] = useState(false);
  const resume = (isWanted: boolean): void => {
    setIsAsking(false);
    void context?.builder.resume(isWanted);
  };
  const step = usePlace().query.get('step');
  useEffect(() => {
    void loadPieces(projectId).then((failure) => failure && complain(failure));
  }, [projectId]);
  useEffect(() => {
    if (flow.value && context?.builder.store.get().flow.id !== flow.value.id) {
      const user = session.get();
      const builder = new Builder(flow.value, user.state === 'in' ? user.user.id : '');
      const wanted = new URLSearchParams(location.search).get('step') ?? undefined;
      const focus = createStore<Focus>({ step: wanted, side: wanted ? 'step' : 'none' });
      const samples = new Samples(builder, projectId);
      setContext({
        builder,
        samples,
        tester: new StepTester(builder, samples, projectId),
        names: createStore(withNames(keptNames(flow.value.id), builder.version.trigger)),
        focus,
        testRun: createStore<string | undefined>(undefined),
        projectId,
      });
      setIsAsking(builder.restored > 0);
    }
  }, [flow.value]);
  useEffect(
    () => () => {
      context?.builder.dispose();
      context?.tester.dispose();
    },
    [context],
  );
  useEffect(() => {
    // Link to another step of the same flow.
    if (step && context && context.focus.get().step !== step) {
      context.focus.set({ step, side: 'step' });
    }
  }, [step]);
  if (flow.failure && !flow.value) {
    return <Failed failure={flow.failure} retry={flow.reload} />;
  }
  return context && context.builder.store.get().flow.id === flowId ? (
    <BuilderProvider value={context}>
      <Editor key={flowId} />
      {isAsking ? (
        <Dialog
          title={t('builder.restored.title')}
          onClose={() => history.back()}
          footer={
            <footer>
              <Button onClick={() => resume(false)}>{t('builder.restored.drop')}</Button>
              <Button kind="primary" onClick={() => resume(true)}>
                {t('builder.restored.apply')}
              </Button>
            </footer>
          }>
          <p class="body">{count('builder.restored', context.builder.restored)}</p>
        </Dialog>
      ) : null}
    </BuilderProvider>
  ) : (
    <div class="page">
      <Skeleton lines={4} />
    </div>
  );
}
