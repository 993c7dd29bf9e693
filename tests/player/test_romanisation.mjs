// The Revised Romanization, on the examples of its rules and on the notes' sentences.

import assert from "node:assert/strict"
import { test } from "node:test"
import { hasHangul, romanise } from "../../assets/player/shared/romanisation.js"

const EXAMPLES = {
  구미: "gumi", 영동: "yeongdong", 백암: "baegam", 옥천: "okcheon", 합덕: "hapdeok", 호법: "hobeop", 월곶: "wolgot", 벚꽃: "beotkkot",
  한밭: "hanbat", 설악: "seorak", 칠곡: "chilgok", 임실: "imsil", 울릉: "ulleung", 대관령: "daegwallyeong", 백마: "baengma", 종로: "jongno",
  왕십리: "wangsimni", 별내: "byeollae", 신라: "silla", 해돋이: "haedoji", 같이: "gachi", 좋고: "joko", 놓다: "nota", 낳지: "nachi",
  압구정: "apgujeong", 샛별: "saetbyeol", 많다: "manta", 읽어요: "ilgeoyo", 없다: "eopda", 묵호: "mukho", 좋습니다: "joseumnida",
}

test("the examples of the rules, composed or not", () => {
  for (const [korean, latin] of Object.entries(EXAMPLES)) {
    assert.equal(romanise(korean), latin)
    assert.equal(romanise(korean.normalize("NFD")), latin)
  }
})

test("everything that is not Hangul stays", () => {
  assert.equal(romanise("나는 학생이다."), "naneun haksaengida.")
  assert.equal(romanise("나는 어제 서울에서 부산까지 KTX를 타고 갔다."), "naneun eoje seoureseo busankkaji KTXreul tago gatda.")
  assert.equal(romanise("▁학생|이다 ㅋㅋ 3월"), "▁haksaeng|ida ㅋㅋ 3wol")
  assert.deepEqual(["KTX를", "KTX", "ㅋㅋ"].map(hasHangul), [true, false, false])
})
