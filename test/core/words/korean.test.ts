import { expect, test } from 'vitest'
import { withParticles } from '../../../src/core/words/korean.ts'

test.each([
  // Hangul: by the final consonant.
  ['서버을(를) 중지', '서버를 중지'],
  ['모델을(를) 중지', '모델을 중지'],
  ['모델으로(로) 변경', '모델로 변경'],
  ['중단으로(로) 변경', '중단으로 변경'],
  // Digits: as they are read aloud, 일, 이, 삼 … 십.
  ['model-1이(가)', 'model-1이'],
  ['model-2이(가)', 'model-2가'],
  ['3으로(로) 조정', '3으로 조정'],
  ['7으로(로) 조정', '7로 조정'],
  ['10으로(로) 조정', '10으로 조정'],
  // Acronyms: letter by letter, 엘엘엠, 티티에스, 지피유.
  ['my-llm을(를)', 'my-llm을'],
  ['my-tts은(는)', 'my-tts는'],
  ['asr이(가)', 'asr이'],
  ['GPU과(와)', 'GPU와'],
  // Words: as they sound, 리랭크, 스피치, 이미지젠, 봇, 임베딩스, 테이블.
  ['rerank을(를)', 'rerank를'],
  ['speech이(가)', 'speech가'],
  ['image-gen을(를)', 'image-gen을'],
  ['chat-bot은(는)', 'chat-bot은'],
  ['embeddings이(가)', 'embeddings가'],
  ['table으로(로)', 'table로'],
  ['“rerank”을(를)', '“rerank”를'],
  ['`stop my-llm`을(를)', '`stop my-llm`을'],
  ['{allow: true}으로(로)', '{allow: true}로'],
  ['설정(port 80)을(를)', '설정(port 80)을'],
  ['my-asr (ep-7)이(가)', 'my-asr (ep-7)이'],
  ['a을(를) b이(가)', 'a를 b가'],
  // Anything that is not a word keeps both particles.
  ['🔒을(를)', '🔒을(를)'],
  ['을(를)', '을(를)'],
])('%s becomes %s', (written, read) => {
  expect(withParticles(written, null)).toBe(read)
})

test('the text before a sentence decides its first particle', () => {
  expect(withParticles('을(를) 중지', 'my-llm')).toBe('을 중지')
})
